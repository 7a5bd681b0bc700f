import type {
  ConnectionSample,
  PathId,
  SampleBatch,
  SocketAddress,
  SubflowSample,
  SubflowState,
} from '../../core';
import { limits } from '../../ipc';
import type { RawConnection, RawSubflow, Snapshot } from '../../../native/index';
import { formatEndpoint } from './address';

/** What the conversion must be told about the machine and about what is wanted. */
export interface SampleContext {
  /** Interface owning a local address, where known. */
  interfaceOf(address: string): string | undefined;
  /** Whether the media may come over a connection with this remote end and owner. */
  wanted(socket: { remote: SocketAddress; inode: number; uid: number }): boolean;
  /** Snapshots lost since the last batch. */
  lostSamples: number;
}

/** TCP states by number (linux/tcp_states.h). */
const tcp = { established: 1, synSent: 2, synRecv: 3, timeWait: 6, listen: 10, newSynRecv: 12 };

/** What a subflow may do now, from its TCP state and its MPTCP flags. */
export function subflowStateOf(
  raw: Pick<RawSubflow, 'state' | 'backupLocal' | 'backupRemote'>,
): SubflowState {
  switch (raw.state) {
    case tcp.established:
      return raw.backupLocal === true || raw.backupRemote === true ? 'backup' : 'active';
    case tcp.synSent:
    case tcp.synRecv:
    case tcp.newSynRecv:
      return 'connecting';
    default:
      return 'closed';
  }
}

/**
 * Names a path: the interface owning the local address, else that address; with `>remote` where the
 * subflow goes to another address than its connection's own.
 */
export function pathIdOf(
  local: string,
  remote: string,
  connectionRemote: string,
  interfaceName: string | undefined,
): PathId {
  const base = interfaceName ?? local;
  return remote === connectionRemote ? base : `${base}>${remote}`;
}

function toSubflow(
  raw: RawSubflow,
  connectionRemote: string,
  context: SampleContext,
): SubflowSample {
  const interfaceName = context.interfaceOf(raw.local.address);
  return {
    subflowId: raw.cookie,
    pathId: pathIdOf(raw.local.address, raw.remote.address, connectionRemote, interfaceName),
    interfaceName,
    local: raw.local,
    remote: raw.remote,
    state: subflowStateOf(raw),
    bytesReceived: raw.tcp?.bytesReceived ?? 0,
    rcvRttUs: raw.tcp?.rcvRttUs,
    rttUs: raw.tcp?.rttUs,
    minRttUs: raw.tcp?.minRttUs,
    lastDataRecvMs: raw.tcp?.lastDataRecvMs,
    outOfOrderSegments: raw.tcp?.rcvOutOfOrderSegments,
    retransSegments: raw.tcp?.totalRetransSegments,
  };
}

const isLive = (raw: RawSubflow): boolean => raw.state !== tcp.listen && raw.state !== tcp.timeWait;
const tuple = (socket: { local: SocketAddress; remote: SocketAddress }): string =>
  `${formatEndpoint(socket.local)} ${formatEndpoint(socket.remote)}`;

function toConnection(
  raw: RawConnection,
  subflows: readonly RawSubflow[],
  context: SampleContext,
): ConnectionSample {
  // The first subflow has address id 0; the order must not depend on the kernel's hash table.
  const samples = [...subflows]
    .sort((a, b) => (a.localId ?? 0) - (b.localId ?? 0) || (a.remoteId ?? 0) - (b.remoteId ?? 0))
    .slice(0, limits.subflows)
    .map((subflow) => toSubflow(subflow, raw.remote.address, context));
  const sumBytes = samples.reduce((sum, subflow) => sum + subflow.bytesReceived, 0);
  return {
    connectionId: `m:${raw.token.toString(16).padStart(8, '0')}`,
    kind: raw.fallback === true ? 'fallback' : 'mptcp',
    local: raw.local,
    remote: raw.remote,
    // Kernels before 6.5 do not count at connection level; nothing held is then the best guess.
    inOrderBytes: raw.bytesReceived ?? sumBytes,
    subflows: samples,
  };
}

/**
 * What the kernel said at one instant, as the rest of the product sees it: only wanted connections, each
 * with its subflows, within the bounds of the feed's schema.
 */
export function toSampleBatch(snapshot: Snapshot, context: SampleContext): SampleBatch {
  const byToken = new Map<number, RawSubflow[]>();
  const plain = new Map<string, RawSubflow>();
  for (const subflow of snapshot.subflows) {
    if (!isLive(subflow)) continue;
    if (subflow.token === undefined) {
      plain.set(tuple(subflow), subflow);
      continue;
    }
    const siblings = byToken.get(subflow.token);
    if (siblings) siblings.push(subflow);
    else byToken.set(subflow.token, [subflow]);
  }

  const connections: ConnectionSample[] = [];
  for (const raw of snapshot.connections) {
    if (raw.state === tcp.listen) continue;
    // A connection that fell back may have a socket that no longer names its token.
    const key = tuple(raw);
    const bare = plain.get(key);
    plain.delete(key);
    if (!context.wanted(raw)) continue;
    connections.push(toConnection(raw, byToken.get(raw.token) ?? (bare ? [bare] : []), context));
  }
  for (const raw of plain.values()) {
    if (!context.wanted(raw)) continue;
    connections.push({
      connectionId: `t:${raw.cookie}`,
      kind: 'tcp',
      local: raw.local,
      remote: raw.remote,
      inOrderBytes: raw.tcp?.bytesReceived ?? 0,
      subflows: [toSubflow(raw, raw.remote.address, context)],
    });
  }
  return {
    monotonicMs: snapshot.monotonicUs / 1000,
    connections: connections.slice(0, limits.connections),
    lostSamples: context.lostSamples,
  };
}
