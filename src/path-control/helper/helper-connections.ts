import type { SocketAddress } from '../../core';
import {
  addressBytes,
  NetlinkBytesError,
  parseMptcpEvent,
  subflowStateOf,
  type MptcpEvent,
  type OnNote,
} from '../../kernel';
import type {
  ConnectionChannel,
  LiveConnection,
  LiveSubflow,
} from '../connections/connection-channel';
import { startHelper } from './helper-process';

/** MPTCP_SUBFLOW_FLAG_* (linux/mptcp.h). */
const flag = { backupRemote: 1 << 4, backupLocal: 1 << 5, fullyEstablished: 1 << 6 } as const;

function numbersOf(words: readonly (string | undefined)[], maximum: readonly number[]): number[] {
  const numbers = words.map((word) => (/^\d{1,10}$/.test(word ?? '') ? Number(word) : NaN));
  return numbers.every((number, index) => number <= (maximum[index] ?? 0)) ? numbers : [];
}

function endOf(address: string | undefined, port: number | undefined): SocketAddress | undefined {
  if (address === undefined || port === undefined || !addressBytes(address)) return undefined;
  return { address, port };
}

/** `subflow TOKEN ADDRESS PORT REMOTE PORT ID REMOTEID STATE FLAGS`; undefined for anything else. */
function parseSubflowLine(
  words: readonly string[],
): { token: number; subflow: LiveSubflow } | undefined {
  const [, token, address, port, remoteAddress, remotePort, ...rest] = words;
  const [of, from, to, localId, remoteId, state, flags] = numbersOf(
    [token, port, remotePort, ...rest],
    [0xffffffff, 65535, 65535, 255, 255, 255, 0xffffffff],
  );
  const [local, remote] = [endOf(address, from), endOf(remoteAddress, to)];
  if (words.length !== 10 || !local || !remote || of === undefined) return undefined;
  if (localId === undefined || remoteId === undefined) return undefined;
  if (state === undefined || flags === undefined) return undefined;
  const backupLocal = (flags & flag.backupLocal) !== 0;
  const backupRemote = (flags & flag.backupRemote) !== 0;
  const subflow: LiveSubflow = {
    local,
    remote,
    localId,
    remoteId,
    state: subflowStateOf({ state, backupLocal, backupRemote }),
    backupLocal,
    fullyEstablished: (flags & flag.fullyEstablished) !== 0,
  };
  return { token: of, subflow };
}

/** The answer to `connections`. Malformed lines are skipped. */
export function parseConnectionLines(
  lines: readonly (readonly string[])[],
  tokens: ReadonlySet<number>,
): LiveConnection[] {
  const found = new Map<number, LiveConnection>();
  for (const words of lines) {
    if (words[0] === 'connection' && words.length === 4) {
      const [token, port] = numbersOf([words[1], words[3]], [0xffffffff, 65535]);
      const remote = endOf(words[2], port);
      if (token !== undefined && remote && tokens.has(token)) {
        found.set(token, { token, remote, subflows: [] });
      }
    } else if (words[0] === 'subflow') {
      const parsed = parseSubflowLine(words);
      if (parsed) found.get(parsed.token)?.subflows.push(parsed.subflow);
    }
  }
  return [...found.values()];
}

/** `event COMMAND HEX`; undefined for anything else. */
export function parseEventLine(words: readonly string[]): MptcpEvent | undefined {
  const [what, command, hex] = words;
  if (what !== 'event' || words.length !== 3 || !/^\d{1,3}$/.test(command ?? '')) return undefined;
  if (!/^([\da-f]{2})*$/.test(hex ?? '')) return undefined;
  try {
    return parseMptcpEvent(Number(command), Uint8Array.from(Buffer.from(hex ?? '', 'hex')));
  } catch (error) {
    if (error instanceof NetlinkBytesError) return undefined;
    throw error;
  }
}

/**
 * This user's own connections through the privileged helper.
 * @throws PathControlError as startHelper
 */
export async function openHelperConnections(
  command: readonly string[],
  onNote: OnNote = () => undefined,
): Promise<ConnectionChannel> {
  const helper = await startHelper(command, 'list');
  try {
    await helper.ask('events');
  } catch (error) {
    helper.close();
    throw error;
  }
  const change = async (verb: string, ...words: (string | number)[]): Promise<void> => {
    await helper.ask([verb, ...words].join(' '));
  };
  const endsOf = ({ local, remote }: LiveSubflow): (string | number)[] => [
    local.address,
    local.port,
    remote.address,
    remote.port,
  ];
  return {
    through: 'helper',
    async connections(tokens) {
      if (tokens.size === 0) return [];
      return parseConnectionLines(await helper.ask('connections'), tokens);
    },
    create(token, { localId, localAddress, interfaceIndex, remoteId, remote, backup }) {
      const near = [localId, localAddress, interfaceIndex];
      const far = [remoteId, remote.address, remote.port, backup ? 'on' : 'off'];
      return change('subflow-create', token, ...near, ...far);
    },
    destroy: (token, subflow) => change('subflow-destroy', token, ...endsOf(subflow)),
    setBackup: (token, subflow, backup) =>
      change('subflow-backup', token, ...endsOf(subflow), backup ? 'on' : 'off'),
    removeAddress: (token, localId) => change('address-remove', token, localId),
    onEvent(listener) {
      helper.onLine((words) => {
        const event = parseEventLine(words);
        if (event) listener(event);
      });
    },
    onLost(listener) {
      helper.onLine(([word]) => {
        if (word !== 'lost') return;
        const message = 'MPTCP events were lost (the helper could not keep up)';
        onNote({ code: 'EVENTS_OVERRUN', message });
        listener();
      });
    },
    onGone: (listener) => helper.onGone(listener),
    close: () => helper.close(),
  };
}
