/** Sessions of the fault campaign: each plays a scenario with one fault after another, or one alone. */
import type { Outcome } from './outcome';

export interface SessionFault {
  /** Name of the fault in the table. */
  name: string;
  injects: string;
  /** Part of the session in which its effect shows, from the first frame. */
  fromSeconds: number;
  untilSeconds: number;
  /** Accepted standstill of the picture; absent: a busy machine's share only. */
  maxStallSeconds?: number;
  /** Evidence that the fault took effect. */
  happened?: ((outcome: Outcome) => boolean) | undefined;
}

export interface Session {
  /** Below scenarios/faults. */
  scenario: string;
  player?: string;
  profile: 'test' | 'nightly';
  faults: readonly SessionFault[];
  /** Absent: it plays to its end. */
  error?: RegExp;
}

const requestsFail = ({ failedRequests }: Outcome): boolean => failedRequests > 0;

const pathFaults: readonly SessionFault[] = [
  {
    name: 'a path dies and returns',
    injects: 'Wi-Fi loses every packet for 3 s',
    fromSeconds: 9,
    untilSeconds: 16,
  },
  {
    name: 'a path flaps',
    injects: 'Wi-Fi loses its carrier for 0.4 s, three times',
    fromSeconds: 16,
    untilSeconds: 22,
  },
  {
    name: 'a path fades to a trickle',
    injects: 'Wi-Fi carries 40 kbit/s for 4 s',
    fromSeconds: 22,
    untilSeconds: 30,
  },
  {
    name: 'NAT rebinding',
    injects: 'the NAT on LTE takes another address and forgets its mappings',
    fromSeconds: 30,
    untilSeconds: 37,
  },
  {
    name: 'address change',
    injects: 'Wi-Fi gets another address, as from DHCP',
    fromSeconds: 37,
    untilSeconds: 44,
  },
  {
    name: 'all paths die and return',
    injects: 'no network has a carrier for 3 s',
    fromSeconds: 44,
    untilSeconds: 54,
    maxStallSeconds: 5,
  },
  {
    name: 'suspend and resume',
    injects: 'no process of the player runs for 2 s; the network goes on',
    fromSeconds: 54,
    untilSeconds: 58,
    maxStallSeconds: 3,
    happened: ({ silenceMs }) => silenceMs > 1500,
  },
  {
    name: 'clock jump',
    injects: 'the wall clock of the page jumps an hour ahead',
    fromSeconds: 58,
    untilSeconds: 61,
  },
];

const serverFaults: readonly SessionFault[] = [
  {
    name: 'connections close after each response',
    injects: 'the server closes the connection after each segment',
    fromSeconds: 8,
    untilSeconds: 12,
  },
  {
    name: '404',
    injects: 'two segments are missing',
    fromSeconds: 12,
    untilSeconds: 16,
    happened: requestsFail,
  },
  {
    name: 'truncated segment',
    injects: 'the connection closes after half a segment, twice',
    fromSeconds: 16,
    untilSeconds: 20,
    happened: requestsFail,
  },
  {
    name: 'a segment corrupt once',
    injects: 'noise in the pictures of one segment',
    fromSeconds: 20,
    untilSeconds: 24,
    maxStallSeconds: 2,
  },
  {
    name: 'idle time-out',
    injects: 'the server closes connections that are idle for 0.5 s',
    fromSeconds: 24,
    untilSeconds: 29,
  },
  {
    name: 'server restart',
    injects: 'connections break, and for 3 s new ones are refused',
    fromSeconds: 29,
    untilSeconds: 37,
    maxStallSeconds: 2,
    happened: requestsFail,
  },
];

/** The player gives up a stuck answer after 3 s, or after 8 s before it knows two networks, and asks again. */
const REPEAT_SECONDS = 9;
const isRepeated = ({ stuckRequests }: Outcome): boolean => stuckRequests > 0;

/** One fault for a whole session: its effect shows from the start, or ends the session. */
const throughout = (
  name: string,
  injects: string,
  untilSeconds: number,
  more: Partial<SessionFault> = {},
): readonly SessionFault[] => [{ name, injects, fromSeconds: 3, untilSeconds, ...more }];

/** The faults that the page does not see over byte ranges: another network or another request repeats what failed. */
const unseen = (faults: readonly SessionFault[]): SessionFault[] =>
  faults.map((fault) =>
    fault.happened === requestsFail ? { ...fault, happened: undefined } : fault,
  );

export const sessions: readonly Session[] = [
  { scenario: 'paths', profile: 'test', faults: pathFaults },
  { scenario: 'server', profile: 'test', faults: serverFaults },
  { scenario: 'paths', player: 'multipath@ranges', profile: 'nightly', faults: pathFaults },
  {
    scenario: 'server',
    player: 'multipath@ranges',
    profile: 'nightly',
    faults: unseen(serverFaults),
  },
  {
    scenario: 'strip-syn',
    profile: 'nightly',
    faults: throughout(
      'MPTCP stripped at SYN',
      'a middlebox strips MP_CAPABLE from every SYN; Wi-Fi dies and returns',
      20,
      { maxStallSeconds: 5 },
    ),
  },
  {
    scenario: 'strip-join',
    profile: 'nightly',
    faults: throughout(
      'MPTCP stripped at JOIN',
      'a middlebox strips MP_JOIN on LTE; Wi-Fi fades and returns',
      20,
      { maxStallSeconds: 5 },
    ),
  },
  {
    scenario: 'drop-add-addr',
    profile: 'nightly',
    faults: throughout(
      'ADD_ADDR dropped',
      'a middlebox drops every announcement of the server’s second address',
      20,
    ),
  },
  {
    scenario: 'ipv6',
    profile: 'nightly',
    faults: throughout('IPv6 only', 'no IPv4 anywhere; a path dies and returns', 20),
  },
  {
    scenario: 'hang',
    profile: 'nightly',
    faults: throughout(
      'hung disk',
      'the process of agent, gateway and log stands still for 4 s, as in a write to a hung disk',
      20,
    ),
  },
  {
    scenario: 'trickle',
    profile: 'nightly',
    faults: throughout('a segment in a trickle', 'two segments come at 20 kbit/s', 45, {
      maxStallSeconds: REPEAT_SECONDS,
      happened: isRepeated,
    }),
  },
  {
    scenario: 'slow-loris',
    profile: 'nightly',
    faults: throughout('slow-loris server', 'the heads of two answers come a byte a second', 45, {
      maxStallSeconds: REPEAT_SECONDS,
      happened: isRepeated,
    }),
  },
  {
    scenario: 'kill-browser',
    profile: 'nightly',
    faults: throughout('browser killed', 'SIGKILL to the browser', 8),
    error: /^player: the browser/,
  },
  {
    scenario: 'kill-renderer',
    profile: 'nightly',
    faults: throughout('renderer killed, lab', 'SIGKILL to the page’s process', 8),
    error: /^player: .*(lost its page|page is gone)/,
  },
];
