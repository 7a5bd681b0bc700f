/** The fault campaign: every fault, its injection, its result for the viewer, and the test that shows it. */
import { sessions } from './sessions';

export interface CampaignRow {
  name: string;
  injects: string;
  /** Result for the viewer: playback goes on, or a clear error. */
  expects: string;
  /** `test`: part of `npm test`. `nightly`: part of `npm run faults -- --profile nightly`. */
  profile: 'test' | 'nightly';
  test: { file: string; title: string };
}

const inProcess = (
  name: string,
  injects: string,
  expects: string,
  file: string,
  title: string,
): CampaignRow => ({ name, injects, expects, profile: 'test', test: { file, title } });

const inProcessNightly = (...row: Parameters<typeof inProcess>): CampaignRow => ({
  ...inProcess(...row),
  profile: 'nightly',
});

const PLAY = 'e2e/cli/play.spec.ts';
const DEMO = 'e2e/cli/demo.spec.ts';
const PLAYER = 'e2e/player/playback.spec.ts';
const FORMATS = 'e2e/formats/faults.spec.ts';
const RANGES = 'e2e/multipath/ranges.spec.ts';
const STEERING = 'e2e/faults/steering.spec.ts';
const HELPER_TEST = 'plays on when kernel events are lost, and when the helper is killed';
const PARTS = {
  faults: 'src/path-control/faults.privileged.test.ts',
  overrun: 'src/path-control/overrun.privileged.test.ts',
};
const MULTIPATH = 'e2e/multipath/playback.spec.ts';

const others: readonly CampaignRow[] = [
  inProcess(
    'a path dies, the decision',
    'the second path of two vanishes in mid-stream',
    'plays on; the path is excluded at once',
    MULTIPATH,
    'excludes a path at once that dies in mid-stream',
  ),
  inProcess(
    'a segment corrupt always',
    'two segments in a row are noise in every rung',
    'they are skipped; no freeze, no flood of requests',
    FORMATS,
    'two corrupt segments in a row are skipped without a freeze or a flood',
  ),
  inProcessNightly(
    '404 always',
    'a segment is missing in every rung',
    'it is skipped, and reported',
    FORMATS,
    'a segment that no rung has limits neither the rung nor the look-ahead',
  ),
  inProcess(
    'restart at the start',
    'the server goes for 6 s while an initialization segment is requested',
    'starts when it is back',
    FORMATS,
    'a server restart of 6 s ends nothing',
  ),
  inProcess(
    'malformed MPD',
    'HTML in place of the MPD, and no MPD',
    'a message with the reason',
    PLAYER,
    'reports the problem of an MPD',
  ),
  inProcess(
    'agent killed',
    'the agent ends in mid-stream',
    'plays on; the page says that it has no path data',
    PLAYER,
    'plays on after the agent is killed, and says so',
  ),
  inProcess(
    'gateway killed',
    'the gateway ends in mid-stream; agent and page go on',
    'plays on over the browser’s own sockets, and says so',
    RANGES,
    'plays on over the browser’s own sockets when the gateway ends',
  ),
  inProcess(
    'player program killed',
    'SIGKILL to the command: agent, gateway and lab at once',
    'the window closes; the log is whole up to its last line; nothing is left',
    DEMO,
    'leaves nothing after SIGKILL',
  ),
  inProcess(
    'helper killed',
    'SIGKILL to mpd-pathctl in mid-stream',
    'plays on; the page reports that paths cannot be switched',
    STEERING,
    HELPER_TEST,
  ),
  inProcess(
    'renderer killed',
    'SIGKILL to the page’s process',
    'a message, the summary, and a log with its end',
    PLAY,
    'process is killed',
  ),
  inProcess(
    'disk full',
    'log and summary on a full file system',
    'plays on; summary printed; status 3; the lines before are whole',
    PLAY,
    'plays on when the disk is full, and prints the summary',
  ),
  inProcess(
    'disk full for the undo record',
    'the undo record of path control cannot be written',
    'plays on; the path stays as it is, and the page gets the reason',
    STEERING,
    'plays on when the disk of the undo record is full, and leaves the path as it is',
  ),
  inProcess(
    'log folder removed',
    'the folder of a run is deleted while it plays',
    'plays on; log and summary come back whole',
    PLAY,
    'keeps log and summary when the log',
  ),
  inProcess(
    'no MPTCP',
    'the server or the client has no MPTCP',
    'plays over one path, and says so',
    MULTIPATH,
    'plays over one path and says so',
  ),
  inProcess(
    'no privilege',
    'the player has no CAP_NET_ADMIN and no helper',
    'plays on; the page gets what it could do with the privilege',
    STEERING,
    'plays on without the privilege, and says what it could do with it',
  ),
  inProcess(
    'netlink overrun, helper',
    'more MPTCP events than the helper’s socket holds',
    'plays on; noted on the terminal',
    STEERING,
    HELPER_TEST,
  ),
  inProcess(
    'netlink overrun, interfaces',
    'more routes than the player’s socket holds',
    'plays on; noted on the terminal',
    STEERING,
    HELPER_TEST,
  ),
];

/** Faults of a part alone, without a viewer: how it recovers, in more detail than a session shows. */
export const ofParts: readonly Omit<CampaignRow, 'profile'>[] = [
  {
    name: 'helper killed',
    injects: 'SIGKILL to mpd-pathctl beside a stream',
    expects: 'the loss is reported, and the stream continues',
    test: {
      file: PARTS.faults,
      title: 'a killed helper is reported, receives no more requests, and the stream continues',
    },
  },
  {
    name: 'helper killed, traces',
    injects: 'SIGKILL to mpd-pathctl with endpoints of its own',
    expects: 'no endpoint is left; the next player can use it',
    test: { file: PARTS.faults, title: 'a helper that is killed leaves no endpoint behind' },
  },
  {
    name: 'netlink overrun, helper',
    injects: 'more events than its socket holds',
    expects: 'everything is read anew, and paths switch',
    test: {
      file: PARTS.overrun,
      title: 'at the helper: noted, and its player looks at everything anew',
    },
  },
  {
    name: 'netlink overrun, interfaces',
    injects: 'more events than the socket holds',
    expects: 'everything is read anew; later events arrive',
    test: {
      file: PARTS.overrun,
      title: 'of the interfaces: noted, looked at anew, and followed again',
    },
  },
  {
    name: 'disk full for the undo record',
    injects: 'the undo record cannot be written',
    expects: 'the change is refused before it is made',
    test: {
      file: 'src/path-control/endpoints/undo-record.test.ts',
      title: 'that cannot be written refuses the change before it is made',
    },
  },
  {
    name: 'address change',
    injects: 'the address of a path changes under path control',
    expects: 'the path keeps its name and its traffic',
    test: {
      file: 'src/transport/address-change.privileged.test.ts',
      title: 'costs no path: own endpoints follow, and the path keeps its name',
    },
  },
  {
    name: 'clock jump',
    injects: 'the brain’s clock jumps back and ahead',
    expects: 'no path is lost for longer than permitted',
    test: {
      file: 'src/brain/clock.test.ts',
      title: 'no path stays closed for a time of another clock',
    },
  },
];

const SPEC = 'e2e/faults/sessions.spec.ts';

/** Every row of the campaign; names are unique. */
export const campaign: readonly CampaignRow[] = [
  ...sessions.flatMap(({ scenario, player: as, profile, faults, error }) =>
    faults.map(({ name, injects, maxStallSeconds = 0 }): CampaignRow => {
      const stall = maxStallSeconds === 0 ? '' : `; stalls for ${maxStallSeconds} s at most`;
      return {
        name: as === undefined ? name : `${name}, ${as}`,
        injects: `${injects} (scenarios/faults/${scenario}.yaml)`,
        expects: error === undefined ? `plays on${stall}` : 'a clear error, and a log with its end',
        profile,
        test: { file: SPEC, title: error === undefined ? name : 'the session ends as expected' },
      };
    }),
  ),
  ...others,
];
