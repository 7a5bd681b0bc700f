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
import {
  attributeOutOfOrder,
  excessAfterRun,
  inOrderRun,
  NEXT_TO_NONE,
  outOfOrderBytesOf,
  sumOf,
} from './out-of-order';
import { emptyWindow, type SlidingWindow } from './sliding-window';

export const ledgerConfig = {
  /**
   * A longer interval is a gap (suspend, stopped feed): its bytes count, but give no rate. Example: 1000 ms.
   */
  maxIntervalMs: 1000,
  /** A connection missing from the samples is remembered this long, so that a dump that misses it counts nothing twice. Example: 30 s. */
  forgetAfterMs: 30_000,
  /** A connection this old has subflows over all paths that work. They join within some round trips. Example: 1000 ms. */
  joinMs: 1000,
  /** A batch older than this is not late: the clock was reset. Example: 5 s. */
  clockBackMs: 5000,
  /** Upper bound of a plausible rate. Example: 12.5 MB per millisecond, 100 Gbit/s. */
  maxBytesPerMs: 12.5e6,
  /** Upper bound of a plausible counter. Example: 1e15, a day at that rate. */
  maxBytes: 1e15,
  /** Longer round trips are errors of the feed. Example: 60 s. */
  maxRttMs: 60_000,
} as const;

interface ConnectionLedger {
  inOrderBytes: number;
  /** Last counter of every subflow seen. */
  subflowBytes: ReadonlyMap<string, number>;
  /** Last time counter of every subflow that has one. */
  awaitedMs: ReadonlyMap<string, number>;
  seenMs: number;
  sinceMs: number;
  excess: SlidingWindow;
  /** Out-of-order bytes by the path that delivered them. */
  outOfOrder: ReadonlyMap<PathId, number>;
  /** Bytes in order from one path without a pause (`inOrderRun`). */
  run: number;
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
  /** The others' out-of-order bytes that may wait for it, over the connections where it holds next to none. */
  waitingBytes: number;
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
  /** Connections of this batch that carry and are old enough to have a subflow over every path. */
  connections: number;
  /** They fetch byte ranges, so that each path has requests of its own. */
  ranges: boolean;
}

export const emptyLedger: ByteLedger = { lastMs: undefined, connections: new Map() };

/** True if a subflow in this state may carry data. */
export const isCarrying = (state: SubflowState | 'lost'): boolean =>
  state === 'active' || state === 'backup';

const stateRank: Record<SubflowState, number> = { closed: 0, connecting: 1, backup: 2, active: 3 };

/** True if a time is so far before the newest batch that the clock must have been reset. */
export function isClockReset({ lastMs }: ByteLedger, nowMs: number): boolean {
  // A log has null in place of a number that is none.
  return (
    lastMs !== undefined && Number.isFinite(nowMs) && nowMs < lastMs - ledgerConfig.clockBackMs
  );
}

/** The counters, without their times. */
function withoutTimes({ connections }: ByteLedger, nowMs: number): ByteLedger {
  return {
    lastMs: undefined,
    connections: new Map(
      [...connections].map(([id, known]) => [
        id,
        { ...known, seenMs: nowMs, sinceMs: nowMs - ledgerConfig.joinMs, excess: emptyWindow },
      ]),
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
    connections: 0,
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
  const living = new Map<PathId, PathInterval>();
  const maxBytes = interval.continuous
    ? (interval.endMs - interval.startMs) * ledgerConfig.maxBytesPerMs
    : ledgerConfig.maxBytes;
  for (const subflow of sample.subflows) {
    const { pathId, subflowId, state, local } = subflow;
    const read = readCounter(subflowBytes.get(subflowId), subflow.bytesReceived, maxBytes);
    subflowBytes.set(subflowId, read.counter);
    const path = interval.paths.get(pathId) ?? {
      bytes: 0,
      blockedBytes: 0,
      waitingBytes: 0,
      measured: true,
      state: 'closed',
      subflows: 0,
      addresses: [],
    };
    addRoundTrips(path, subflow, read.bytes);
    const awaited = sinceBefore(awaitedMs, subflow, interval.endMs - interval.startMs);
    if (awaited !== undefined) path.awaitedMs = Math.max(path.awaitedMs ?? 0, awaited);
    path.bytes += read.bytes;
    brought.set(pathId, (brought.get(pathId) ?? 0) + read.bytes);
    if (!read.measured) path.measured = false;
    if (stateRank[state] > stateRank[path.state]) path.state = state;
    path.subflows += 1;
    path.interfaceName ??= subflow.interfaceName;
    if (!path.addresses.includes(local.address)) path.addresses.push(local.address);
    interval.paths.set(pathId, path);
    if (isCarrying(state)) living.set(pathId, path);
  }

  const sinceMs = known?.sinceMs ?? interval.endMs;
  const isOld = interval.endMs - sinceMs >= ledgerConfig.joinMs;
  if (isOld && living.size > 0) interval.connections += 1;
  const inOrderBefore = known?.inOrderBytes ?? 0;
  const inOrderBytes = isCount(sample.inOrderBytes) ? sample.inOrderBytes : inOrderBefore;
  const delivered = inOrderBytes - inOrderBefore;
  interval.inOrderBytes += delivered >= 0 && delivered <= maxBytes ? delivered : 0;

  const isJoined = sample.kind === 'mptcp' || sample.kind === 'ranges';
  const run = inOrderRun(known?.run ?? 0, brought, delivered, known?.outOfOrder);
  const received = sumOf(subflowBytes.values()) - inOrderBytes;
  const excessBefore = excessAfterRun(run, received, interval.endMs) ?? known?.excess;
  const { outOfOrderBytes, excess } = isJoined
    ? outOfOrderBytesOf(received, interval, excessBefore)
    : { outOfOrderBytes: 0, excess: known?.excess ?? emptyWindow };
  interval.outOfOrderBytes += outOfOrderBytes;
  const outOfOrder = attributeOutOfOrder(known?.outOfOrder, brought, outOfOrderBytes);
  let heldBytes = 0;
  for (const [id, bytes] of outOfOrder) {
    const path = interval.paths.get(id);
    if (path) path.blockedBytes += bytes;
    if (living.has(id)) heldBytes += bytes;
  }
  // Without the bytes of closed paths the last living one is never waited for.
  for (const [id, path] of living) {
    const bytes = outOfOrder.get(id) ?? 0;
    const others = heldBytes - bytes;
    if (bytes < NEXT_TO_NONE * others) path.waitingBytes += others;
  }
  const seenMs = interval.endMs;
  return { inOrderBytes, subflowBytes, awaitedMs, seenMs, sinceMs, excess, outOfOrder, run };
}

interface CounterRead {
  counter: number;
  /** Bytes since the last sample. */
  bytes: number;
  /** False: the bytes may have arrived before the interval, or the counter is wrong. */
  measured: boolean;
}

/** Reads a counter, which may be new, reset or wrong. */
function readCounter(before: number | undefined, reported: number, maxBytes: number): CounterRead {
  const counter = isCount(reported) ? reported : (before ?? 0);
  if (before === undefined || counter < before) {
    return { counter, bytes: counter, measured: counter === 0 };
  }
  const bytes = counter - before;
  return bytes > maxBytes
    ? { counter: before, bytes: 0, measured: false }
    : { counter, bytes, measured: true };
}

/** @param bytes of the subflow in this interval; those of its path so far are in `path` */
function addRoundTrips(path: PathInterval, subflow: SubflowSample, bytes: number): void {
  const rttMs = subflow.rcvRttUs === undefined ? undefined : subflow.rcvRttUs / 1000;
  if (rttMs !== undefined && rttMs > 0 && rttMs <= ledgerConfig.maxRttMs) {
    // Only a subflow that moved bytes has a current round trip; an idle one repeats an old value.
    if (path.rcvRttMs === undefined || (bytes > 0 && path.bytes === 0)) path.rcvRttMs = rttMs;
    else if (bytes > 0 || path.bytes === 0) path.rcvRttMs = (path.rcvRttMs + rttMs) / 2;
  }
  const minRttMs = subflow.minRttUs === undefined ? 0 : subflow.minRttUs / 1000;
  if (minRttMs > 0 && minRttMs <= ledgerConfig.maxRttMs) {
    path.minRttMs = Math.min(path.minRttMs ?? Infinity, minRttMs);
  }
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

function isCount(value: number): boolean {
  return value >= 0 && value <= ledgerConfig.maxBytes;
}
