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
import { ReceivedBytes } from './received-bytes';

/** Context of the conversion: the machine and the watched connections. */
export interface SampleContext {
  /** Interface that owns a local address, if known. */
  interfaceOf(address: string): string | undefined;
  /** True if the media may come over a connection with this remote end and owner. */
  wanted(socket: { remote: SocketAddress; inode: number; uid: number }): boolean;
  /** Rank of connections if a batch cannot hold all: the lowest stay. Default: the kernel's order. */
  rankOf?: (socket: { inode: number; uid: number }) => number;
  /** Remembers subflows that went. Without it only the present ones count. */
  received?: ReceivedBytes;
  /** Snapshots lost since the last batch. */
  lostSamples: number;
}

/** TCP states by number (linux/tcp_states.h). */
const tcp = { established: 1, synSent: 2, synRecv: 3, timeWait: 6, listen: 10, newSynRecv: 12 };

/** State of a subflow, from its TCP state and its MPTCP flags. */
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
 * Names a path: the interface that owns the local address, else that address; with `>remote` if the subflow
 * goes to another address than its connection's own.
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
  const connectionId = `m:${raw.token.toString(16).padStart(8, '0')}`;
  const { received = new ReceivedBytes() } = context;
  return {
    connectionId,
    kind: raw.fallback === true ? 'fallback' : 'mptcp',
    local: raw.local,
    remote: raw.remote,
    // Kernels before 6.5 have no connection-level count; the best guess is no out-of-order bytes.
    inOrderBytes: raw.bytesReceived ?? received.add(connectionId, samples),
    subflows: samples,
  };
}

/** Drops connections above the limit of a batch. The player's own precede others', MPTCP precedes plain TCP. */
function withinLimits(
  found: readonly { raw: { inode: number; uid: number }; sample: ConnectionSample }[],
  { rankOf }: SampleContext,
): ConnectionSample[] {
  const samples = found.map(({ sample }) => sample);
  if (samples.length <= limits.connections || !rankOf) return samples.slice(0, limits.connections);
  const ranked = found.map(({ raw, sample }) => ({ sample, rank: rankOf(raw) }));
  // The sort is stable: equal ranks keep the kernel's order.
  const plainLast = (sample: ConnectionSample): number => (sample.kind === 'tcp' ? 1 : 0);
  ranked.sort((a, b) => a.rank - b.rank || plainLast(a.sample) - plainLast(b.sample));
  return ranked.slice(0, limits.connections).map(({ sample }) => sample);
}

/**
 * One snapshot in the product's terms: only watched connections, each with its subflows, within the bounds of
 * the feed's schema.
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

  const found: { raw: { inode: number; uid: number }; sample: ConnectionSample }[] = [];
  for (const raw of snapshot.connections) {
    if (raw.state === tcp.listen) continue;
    // The socket of a fallback connection may no longer name its token.
    const key = tuple(raw);
    const bare = plain.get(key);
    plain.delete(key);
    if (!context.wanted(raw)) continue;
    const subflows = byToken.get(raw.token) ?? (bare ? [bare] : []);
    found.push({ raw, sample: toConnection(raw, subflows, context) });
  }
  for (const raw of plain.values()) {
    if (!context.wanted(raw)) continue;
    const sample: ConnectionSample = {
      connectionId: `t:${raw.cookie}`,
      kind: 'tcp',
      local: raw.local,
      remote: raw.remote,
      inOrderBytes: raw.tcp?.bytesReceived ?? 0,
      subflows: [toSubflow(raw, raw.remote.address, context)],
    };
    found.push({ raw, sample });
  }
  return {
    monotonicMs: snapshot.monotonicUs / 1000,
    connections: withinLimits(found, context),
    lostSamples: context.lostSamples,
  };
}
