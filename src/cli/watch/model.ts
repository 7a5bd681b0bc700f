import type { ConnectionSample, SampleBatch, SocketAddress, SubflowState } from '../../core';

/** One subflow in the view of `watch`. Rates and shares are over the last period. */
export interface WatchedSubflow {
  pathId: string;
  interfaceName: string | null;
  local: SocketAddress;
  remote: SocketAddress;
  state: SubflowState;
  rateBps: number;
  rcvRttMs: number | null;
  /** Share of the connection's bytes in this period, 0 to 1. */
  share: number;
  bytesReceived: number;
  retransSegments: number | null;
  outOfOrderSegments: number | null;
}

export interface WatchedConnection {
  connectionId: string;
  kind: ConnectionSample['kind'];
  process: { pid: number; name: string } | null;
  local: SocketAddress;
  remote: SocketAddress;
  /** Rate of the bytes delivered in order. */
  inOrderBps: number;
  /** Bytes received on subflows but not yet in order (or received twice), since the start. */
  holBytes: number;
  subflows: WatchedSubflow[];
}

/** One period of `watch`; a line of `watch --json`. */
export interface WatchFrame {
  monotonicMs: number;
  periodMs: number;
  lostSamples: number;
  /** The reason why MPTCP cannot be seen or used here, or null. */
  problem: string | null;
  connections: WatchedConnection[];
}

/** Finds the process of a connection, if it can be known. */
export type OwnerOf = (connectionId: string) => { pid: number; name: string } | undefined;

function perSecond(now: number, before: number | undefined, ms: number): number {
  if (before === undefined || ms <= 0) return 0;
  return (Math.max(0, now - before) * 8000) / ms;
}

function watchedConnection(
  now: ConnectionSample,
  before: ConnectionSample | undefined,
  ms: number,
  ownerOf: OwnerOf,
): WatchedConnection {
  const earlier = new Map(before?.subflows.map((s) => [s.subflowId, s.bytesReceived]));
  // A subflow that joined since the last period received all of its bytes in this one.
  const fresh = before === undefined ? undefined : 0;
  const rates = now.subflows.map((s) =>
    perSecond(s.bytesReceived, earlier.get(s.subflowId) ?? fresh, ms),
  );
  const total = rates.reduce((sum, rate) => sum + rate, 0);
  const received = now.subflows.reduce((sum, s) => sum + s.bytesReceived, 0);
  return {
    connectionId: now.connectionId,
    kind: now.kind,
    process: ownerOf(now.connectionId) ?? null,
    local: now.local,
    remote: now.remote,
    inOrderBps: perSecond(now.inOrderBytes, before?.inOrderBytes, ms),
    holBytes: now.kind === 'mptcp' ? Math.max(0, received - now.inOrderBytes) : 0,
    subflows: now.subflows.map((s, index) => ({
      pathId: s.pathId,
      interfaceName: s.interfaceName ?? null,
      local: s.local,
      remote: s.remote,
      state: s.state,
      rateBps: rates[index] ?? 0,
      rcvRttMs: s.rcvRttUs === undefined ? null : s.rcvRttUs / 1000,
      share: total > 0 ? (rates[index] ?? 0) / total : 0,
      bytesReceived: s.bytesReceived,
      retransSegments: s.retransSegments ?? null,
      outOfOrderSegments: s.outOfOrderSegments ?? null,
    })),
  };
}

const joinKey = ({ process, remote }: WatchedConnection): string =>
  `${process?.pid} ${remote.address} ${remote.port}`;

/** One process's TCP connections to one server over several interfaces: it fetches byte ranges over each. */
function joinRanges(connections: readonly WatchedConnection[]): WatchedConnection[] {
  const groups = new Map<string, WatchedConnection[]>();
  const others: WatchedConnection[] = [];
  for (const connection of connections) {
    if (connection.kind !== 'tcp' || connection.process === null) others.push(connection);
    else groups.set(joinKey(connection), [...(groups.get(joinKey(connection)) ?? []), connection]);
  }
  for (const group of groups.values()) {
    const [first] = group;
    const interfaces = new Set(
      group.flatMap(({ subflows }) => subflows.map((s) => s.interfaceName ?? '')),
    );
    if (first === undefined || interfaces.size < 2) {
      others.push(...group);
      continue;
    }
    const inOrderBps = group.reduce((sum, one) => sum + one.inOrderBps, 0);
    const subflows = group.flatMap((one) =>
      one.subflows.map((s) => ({
        ...s,
        share: inOrderBps > 0 ? Math.min(1, s.rateBps / inOrderBps) : 0,
      })),
    );
    others.push({ ...first, kind: 'ranges', inOrderBps, subflows });
  }
  return others;
}

/** Differences between two batches, busiest connection first. */
export function watchFrame(
  before: SampleBatch | undefined,
  now: SampleBatch,
  ownerOf: OwnerOf,
  problem: string | null = null,
): WatchFrame {
  const ms = before ? now.monotonicMs - before.monotonicMs : 0;
  const earlier = new Map(before?.connections.map((c) => [c.connectionId, c]));
  const connections = joinRanges(
    now.connections.map((c) => watchedConnection(c, earlier.get(c.connectionId), ms, ownerOf)),
  );
  connections.sort(
    (a, b) => b.inOrderBps - a.inOrderBps || (a.connectionId < b.connectionId ? -1 : 1),
  );
  return {
    monotonicMs: now.monotonicMs,
    periodMs: ms,
    lostSamples: now.lostSamples,
    problem,
    connections,
  };
}
