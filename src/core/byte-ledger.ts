/**
 * Bytes per path out of raw counters: the one place that knows about counters that start, vanish, come back
 * and reset, about samples that were lost, came twice or out of order, and about machines that slept.
 */
import type { ConnectionId, ConnectionSample, PathId, SampleBatch, SubflowState } from './network';
import { emptyWindow, pushWindow, windowMin, type SlidingWindow } from './sliding-window';

export const ledgerConfig = {
  /** A longer interval is a gap (suspend, feed stopped): its bytes count, its rate means nothing. Example: 1000 ms. */
  maxIntervalMs: 1000,
  /** A connection missing from the samples is remembered this long, so that a dump that misses it counts nothing twice. Example: 30 s. */
  forgetAfterMs: 30_000,
  /** Reinjected duplicates stay in the subflow sum for ever: the least excess over this time is taken for duplicates, the rest for held bytes. Example: 10 s. */
  duplicateWindowMs: 10_000,
  /** A batch further back than this is not late: the clock was set back. Example: 5 s. */
  clockBackMs: 5000,
  /** No path carries more: a counter that says so lies. Example: 12.5 MB a millisecond, 100 Gbit/s. */
  mostBytesPerMs: 12.5e6,
  /** No counter of a session gets there. Example: 1e15, a day at that rate. */
  mostBytes: 1e15,
  /** Longer round trips are a fault of the feed. Example: 60 s. */
  mostRttMs: 60_000,
  /** Excess values remembered per connection for that. Example: 20, one each half second. */
  duplicateWindowCount: 20,
} as const;

interface ConnectionLedger {
  inOrderBytes: number;
  /** Last counter of every subflow ever seen. */
  subflowBytes: ReadonlyMap<string, number>;
  seenMs: number;
  excess: SlidingWindow;
  /** Bytes of each path since the connection last advanced in order. */
  beyond: ReadonlyMap<PathId, number>;
}

export interface ByteLedger {
  /** Time of the newest batch; undefined before the first. */
  lastMs: number | undefined;
  connections: ReadonlyMap<ConnectionId, ConnectionLedger>;
}

/** What one path did since the batch before. */
export interface PathInterval {
  bytes: number;
  /** False where a counter was seen for the first time or went back: do not make a rate of these bytes. */
  measured: boolean;
  /** Brought to connections since those last advanced in order: beyond the byte that is missing, which another path owes. */
  beyondBytes: number;
  /** Best state of its subflows. */
  state: SubflowState;
  subflows: number;
  interfaceName?: string | undefined;
  addresses: string[];
  /** Mean of the subflows that received in this interval, or of all of them. */
  rcvRttMs?: number | undefined;
}

export interface LedgerInterval {
  startMs: number;
  endMs: number;
  /** False for the first batch and after a gap. */
  continuous: boolean;
  paths: Map<PathId, PathInterval>;
  inOrderBytes: number;
  /** Bytes that wait for an earlier byte on another path (head-of-line blocking), over all MPTCP connections. */
  heldBytes: number;
  /** Connections in this batch. */
  connections: number;
}

export const emptyLedger: ByteLedger = { lastMs: undefined, connections: new Map() };

const stateRank: Record<SubflowState, number> = { closed: 0, connecting: 1, backup: 2, active: 3 };

/** Whether a time is so far before the newest batch that the clock must have been set back. */
export function isSetBack({ lastMs }: ByteLedger, nowMs: number): boolean {
  return lastMs !== undefined && nowMs < lastMs - ledgerConfig.clockBackMs;
}

/** The counters, without the times they were read at. */
function withoutTimes({ connections }: ByteLedger, nowMs: number): ByteLedger {
  return {
    lastMs: undefined,
    connections: new Map(
      [...connections].map(([id, known]) => [id, { ...known, seenMs: nowMs, excess: emptyWindow }]),
    ),
  };
}

/**
 * Adds a batch. `interval` is undefined for one that is not newer than the last (it is ignored), unless the clock was set
 * back: then it is the first of a new time.
 */
export function observeBatch(
  known: ByteLedger,
  batch: SampleBatch,
): { ledger: ByteLedger; interval: LedgerInterval | undefined } {
  const nowMs = batch.monotonicMs;
  const ledger = isSetBack(known, nowMs) ? withoutTimes(known, nowMs) : known;
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
    heldBytes: 0,
    connections: batch.connections.length,
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
      beyondBytes: 0,
      measured: true,
      state: 'closed',
      subflows: 0,
      addresses: [],
    };
    const rttMs = subflow.rcvRttUs === undefined ? undefined : subflow.rcvRttUs / 1000;
    if (rttMs !== undefined && rttMs > 0 && rttMs <= ledgerConfig.mostRttMs) {
      // The subflow that moved bytes knows the round trip now; an idle one repeats an old value.
      if (path.rcvRttMs === undefined || (bytes > 0 && path.bytes === 0)) path.rcvRttMs = rttMs;
      else if (bytes > 0 || path.bytes === 0) path.rcvRttMs = (path.rcvRttMs + rttMs) / 2;
    }
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

  const beyond = delivered === 0 && known ? new Map(known.beyond) : new Map<PathId, number>();
  if (delivered === 0 && known && interval.continuous) {
    for (const [id, bytes] of brought) beyond.set(id, (beyond.get(id) ?? 0) + bytes);
  }
  for (const [id, bytes] of beyond) {
    const path = interval.paths.get(id);
    if (path) path.beyondBytes += bytes;
  }

  let excess = known?.excess ?? emptyWindow;
  if (sample.kind === 'mptcp') {
    let received = 0;
    for (const bytes of subflowBytes.values()) received += bytes;
    const raw = Math.max(0, received - inOrderBytes);
    const window = {
      maxAgeMs: ledgerConfig.duplicateWindowMs,
      maxCount: ledgerConfig.duplicateWindowCount,
    };
    const bucketMs = window.maxAgeMs / window.maxCount;
    // It began while it was watched: nothing has come twice yet.
    if (!known && interval.continuous) excess = pushWindow(excess, interval.startMs, 0, window);
    const newestMs = excess.atMs.at(-1);
    const least = windowMin(excess) ?? 0;
    interval.heldBytes += Math.max(0, raw - Math.min(least, raw));
    if (newestMs === undefined || interval.endMs - newestMs >= bucketMs || raw < least) {
      excess = pushWindow(excess, interval.endMs, raw, window);
    }
  }
  return { inOrderBytes, subflowBytes, seenMs: interval.endMs, excess, beyond };
}

function isCount(value: number): boolean {
  return value >= 0 && value <= ledgerConfig.mostBytes;
}
