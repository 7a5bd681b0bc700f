/**
 * Bytes per path from raw counters. Only this file handles counters that start, vanish, return and reset,
 * samples that are lost, repeated or reordered, and suspended machines.
 */
import type {
  ConnectionId,
  ConnectionSample,
  SampleBatch,
  SubflowSample,
  SubflowState,
} from './network';
import type { PathId } from './path';
import { emptyWindow, pushWindow, windowMin, type SlidingWindow } from './sliding-window';

export const ledgerConfig = {
  /**
   * A longer interval is a gap (suspend, stopped feed): its bytes count, but give no rate. Example: 1000 ms.
   */
  maxIntervalMs: 1000,
  /** A connection missing from the samples is remembered this long, so that a dump that misses it counts nothing twice. Example: 30 s. */
  forgetAfterMs: 30_000,
  /**
   * Reinjected duplicates stay in the subflow sum forever: the minimum excess over this time counts as
   * duplicates, the rest as out-of-order bytes. Example: 10 s.
   */
  duplicateWindowMs: 10_000,
  /** A batch older than this is not late: the clock was reset. Example: 5 s. */
  clockBackMs: 5000,
  /** Upper bound of a plausible rate. Example: 12.5 MB per millisecond, 100 Gbit/s. */
  mostBytesPerMs: 12.5e6,
  /** Upper bound of a plausible counter. Example: 1e15, a day at that rate. */
  mostBytes: 1e15,
  /** Longer round trips are errors of the feed. Example: 60 s. */
  mostRttMs: 60_000,
  /** Excess values remembered per connection. Example: 20, one each half second. */
  duplicateWindowCount: 20,
} as const;

interface ConnectionLedger {
  inOrderBytes: number;
  /** Last counter of every subflow seen. */
  subflowBytes: ReadonlyMap<string, number>;
  /** Last time counter of every subflow that has one. */
  awaitedMs: ReadonlyMap<string, number>;
  seenMs: number;
  excess: SlidingWindow;
  /** Out-of-order bytes by the path that delivered them. */
  outOfOrder: ReadonlyMap<PathId, number>;
}

export interface ByteLedger {
  /** Time of the newest batch; undefined before the first. */
  lastMs: number | undefined;
  connections: ReadonlyMap<ConnectionId, ConnectionLedger>;
}

/** Changes of one path since the previous batch. */
export interface PathInterval {
  bytes: number;
  /** False if a counter is new or went back: its bytes give no rate. */
  measured: boolean;
  /** Its out-of-order bytes. They wait for an earlier byte on another path. */
  blockedBytes: number;
  /** Best state of its subflows. */
  state: SubflowState;
  subflows: number;
  interfaceName?: string | undefined;
  addresses: string[];
  /** Mean over the subflows that received in this interval, or over all of them. */
  rcvRttMs?: number | undefined;
  /** The shortest round trip of its subflows' own requests. */
  minRttMs?: number | undefined;
  /** Part of the interval in which an answer was awaited on it. Undefined if unknown. */
  awaitedMs?: number | undefined;
}

export interface LedgerInterval {
  startMs: number;
  endMs: number;
  /** False for the first batch and after a gap. */
  continuous: boolean;
  paths: Map<PathId, PathInterval>;
  inOrderBytes: number;
  /** Bytes that wait for an earlier byte on another path (head-of-line blocking), over all MPTCP connections. */
  outOfOrderBytes: number;
  /** Connections in this batch. */
  connections: number;
  /** They fetch byte ranges, so that each path has requests of its own. */
  ranges: boolean;
}

export const emptyLedger: ByteLedger = { lastMs: undefined, connections: new Map() };

const stateRank: Record<SubflowState, number> = { closed: 0, connecting: 1, backup: 2, active: 3 };

/** True if a time is so far before the newest batch that the clock must have been reset. */
export function isClockReset({ lastMs }: ByteLedger, nowMs: number): boolean {
  return lastMs !== undefined && nowMs < lastMs - ledgerConfig.clockBackMs;
}

/** The counters, without their times. */
function withoutTimes({ connections }: ByteLedger, nowMs: number): ByteLedger {
  return {
    lastMs: undefined,
    connections: new Map(
      [...connections].map(([id, known]) => [id, { ...known, seenMs: nowMs, excess: emptyWindow }]),
    ),
  };
}

/**
 * Adds a batch. `interval` is undefined for a batch that is not newer than the last (it is ignored), unless
 * the clock was reset: then it is the first of a new time.
 */
export function observeBatch(
  known: ByteLedger,
  batch: SampleBatch,
): { ledger: ByteLedger; interval: LedgerInterval | undefined } {
  const nowMs = batch.monotonicMs;
  const ledger = isClockReset(known, nowMs) ? withoutTimes(known, nowMs) : known;
  const lastMs = ledger.lastMs;
  if (!Number.isFinite(nowMs) || (lastMs !== undefined && nowMs <= lastMs)) {
    return { ledger: known, interval: undefined };
  }
  const interval: LedgerInterval = {
    startMs: lastMs ?? nowMs,
    endMs: nowMs,
    continuous: lastMs !== undefined && nowMs - lastMs <= ledgerConfig.maxIntervalMs,
    paths: new Map(),
    inOrderBytes: 0,
    outOfOrderBytes: 0,
    connections: batch.connections.length,
    ranges: batch.connections.some(({ kind }) => kind === 'ranges'),
  };
  const connections = new Map<ConnectionId, ConnectionLedger>();
  for (const [id, known] of ledger.connections) {
    if (nowMs - known.seenMs <= ledgerConfig.forgetAfterMs) connections.set(id, known);
  }
  for (const sample of batch.connections) {
    const known = connections.get(sample.connectionId);
    connections.set(sample.connectionId, addConnection(interval, known, sample));
  }
  return { ledger: { lastMs: nowMs, connections }, interval };
}

function addConnection(
  interval: LedgerInterval,
  known: ConnectionLedger | undefined,
  sample: ConnectionSample,
): ConnectionLedger {
  const subflowBytes = new Map(known?.subflowBytes);
  const awaitedMs = new Map(known?.awaitedMs);
  const brought = new Map<PathId, number>();
  const mostBytes = interval.continuous
    ? (interval.endMs - interval.startMs) * ledgerConfig.mostBytesPerMs
    : ledgerConfig.mostBytes;
  for (const subflow of sample.subflows) {
    const before = subflowBytes.get(subflow.subflowId);
    const counter = isCount(subflow.bytesReceived) ? subflow.bytesReceived : (before ?? 0);
    const reset = before !== undefined && counter < before;
    const more = before === undefined || reset ? counter : counter - before;
    const isLie = before !== undefined && !reset && more > mostBytes;
    const bytes = isLie ? 0 : more;
    subflowBytes.set(subflow.subflowId, isLie ? before : counter);

    const path = interval.paths.get(subflow.pathId) ?? {
      bytes: 0,
      blockedBytes: 0,
      measured: true,
      state: 'closed',
      subflows: 0,
      addresses: [],
    };
    const rttMs = subflow.rcvRttUs === undefined ? undefined : subflow.rcvRttUs / 1000;
    if (rttMs !== undefined && rttMs > 0 && rttMs <= ledgerConfig.mostRttMs) {
      // Only a subflow that moved bytes has a current round trip; an idle one repeats an old value.
      if (path.rcvRttMs === undefined || (bytes > 0 && path.bytes === 0)) path.rcvRttMs = rttMs;
      else if (bytes > 0 || path.bytes === 0) path.rcvRttMs = (path.rcvRttMs + rttMs) / 2;
    }
    const minRttMs = subflow.minRttUs === undefined ? 0 : subflow.minRttUs / 1000;
    if (minRttMs > 0 && minRttMs <= ledgerConfig.mostRttMs) {
      path.minRttMs = Math.min(path.minRttMs ?? Infinity, minRttMs);
    }
    const awaited = sinceBefore(awaitedMs, subflow, interval.endMs - interval.startMs);
    if (awaited !== undefined) path.awaitedMs = Math.max(path.awaitedMs ?? 0, awaited);
    path.bytes += bytes;
    brought.set(subflow.pathId, (brought.get(subflow.pathId) ?? 0) + bytes);
    if (isLie || (bytes > 0 && (before === undefined || reset))) path.measured = false;
    if (stateRank[subflow.state] > stateRank[path.state]) path.state = subflow.state;
    path.subflows += 1;
    path.interfaceName ??= subflow.interfaceName;
    if (!path.addresses.includes(subflow.local.address)) path.addresses.push(subflow.local.address);
    interval.paths.set(subflow.pathId, path);
  }

  const inOrderBefore = known?.inOrderBytes ?? 0;
  const inOrderBytes = isCount(sample.inOrderBytes) ? sample.inOrderBytes : inOrderBefore;
  const delivered = inOrderBytes - inOrderBefore;
  interval.inOrderBytes += delivered >= 0 && delivered <= mostBytes ? delivered : 0;

  let outOfOrderBytes = 0;
  let excess = known?.excess ?? emptyWindow;
  if (sample.kind === 'mptcp' || sample.kind === 'ranges') {
    let received = 0;
    for (const bytes of subflowBytes.values()) received += bytes;
    const raw = Math.max(0, received - inOrderBytes);
    const window = {
      maxAgeMs: ledgerConfig.duplicateWindowMs,
      maxCount: ledgerConfig.duplicateWindowCount,
    };
    const bucketMs = window.maxAgeMs / window.maxCount;
    // It began under observation: no bytes are duplicates yet.
    if (!known && interval.continuous) excess = pushWindow(excess, interval.startMs, 0, window);
    const newestMs = excess.atMs.at(-1);
    const least = windowMin(excess) ?? 0;
    outOfOrderBytes = Math.max(0, raw - Math.min(least, raw));
    if (newestMs === undefined || interval.endMs - newestMs >= bucketMs || raw < least) {
      excess = pushWindow(excess, interval.endMs, raw, window);
    }
  }
  interval.outOfOrderBytes += outOfOrderBytes;
  const outOfOrder = attributeOutOfOrder(known?.outOfOrder, brought, outOfOrderBytes);
  for (const [id, bytes] of outOfOrder) {
    const path = interval.paths.get(id);
    if (path) path.blockedBytes += bytes;
  }
  return { inOrderBytes, subflowBytes, awaitedMs, seenMs: interval.endMs, excess, outOfOrder };
}

/** The part of an interval that a subflow's time counter adds. Undefined if it is new, went back or is impossible. */
function sinceBefore(
  known: Map<string, number>,
  { subflowId, awaitedMs }: SubflowSample,
  intervalMs: number,
): number | undefined {
  const before = known.get(subflowId);
  if (awaitedMs === undefined || !isCount(awaitedMs)) {
    known.delete(subflowId);
    return undefined;
  }
  known.set(subflowId, awaitedMs);
  if (before === undefined || awaitedMs < before) return undefined;
  return Math.min(awaitedMs - before, intervalMs);
}

/**
 * Assigns a connection's out-of-order bytes to the paths that delivered them. The bytes of the path with the
 * missing byte are in order as soon as they arrive. So bytes are released first from the path that holds least.
 */
function attributeOutOfOrder(
  known: ReadonlyMap<PathId, number> | undefined,
  brought: ReadonlyMap<PathId, number>,
  outOfOrderBytes: number,
): ReadonlyMap<PathId, number> {
  const outOfOrder = new Map(known);
  for (const [id, bytes] of brought) outOfOrder.set(id, (outOfOrder.get(id) ?? 0) + bytes);
  let released = -outOfOrderBytes;
  for (const bytes of outOfOrder.values()) released += bytes;
  for (const [id, bytes] of [...outOfOrder].sort((a, b) => a[1] - b[1])) {
    const given = Math.min(bytes, Math.max(0, released));
    released -= given;
    if (bytes > given) outOfOrder.set(id, bytes - given);
    else outOfOrder.delete(id);
  }
  return outOfOrder;
}

function isCount(value: number): boolean {
  return value >= 0 && value <= ledgerConfig.mostBytes;
}
