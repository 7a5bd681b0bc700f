/**
 * The health of each path: one state since a time, one table of transitions, one retry.
 *
 * | from             | to      | when                                                                          |
 * | ---------------- | ------- | ----------------------------------------------------------------------------- |
 * | healthy, suspect | out     | the kernel reports it lost: interface, address or subflow                      |
 * | out, probing     | healthy | it has a living subflow                                                        |
 * | healthy          | suspect | the others' bytes wait for it, or it was a main path, and it delivers too little |
 * | suspect          | healthy | it delivers again, or nothing waits for it any more                            |
 * | suspect          | stale   | it still blocks the stream after what retransmissions explain: it is closed    |
 * |                  |         | sooner where it carried alone and no out-of-order bytes can show the gap,     |
 * |                  |         | later before the first byte of an answer                                      |
 * | stale            | probing | its backoff has passed: it may open a fresh subflow                            |
 * | probing          | stale   | no handshake in time                                                           |
 * | stale, probing   | out     | its interface or address is gone                                               |
 *
 * The kernel reinjects the data of a closed path over the others at once (measured: 18 to 26 ms). A path that
 * is left open needs repeated retransmission time-outs (0.5 to 5 s). A trickle of packets keeps the kernel's
 * retransmission timer from expiring, so a path that delivers a trickle blocks as a silent one does. A closed path
 * gets a fresh subflow: Linux's scheduler shuns one whose smoothed round trip is still a second.
 */
import {
  clamp,
  formatDuration,
  isCarrying,
  SAMPLE_PERIOD_MS,
  type PathId,
  type PathState,
} from '../core';
import {
  blocksStream,
  estimatorConfig,
  isPaced,
  observedRate,
  type PathEstimatorState,
  type PathTrack,
} from '../estimate';

export type PathHealthState = 'healthy' | 'suspect' | 'stale' | 'out' | 'probing';

export const healthConfig = {
  /** A path behind this long, plus round trips, is suspect: as long as a silent one blocks the stream. */
  suspectMs: estimatorConfig.silentAfterMs,
  /** Stale after this, plus round trips. 1200 ms: by then the kernel has retransmitted what it can. */
  staleMs: 1200,
  /** The same for a path that carries the stream alone: its queue gains nothing from waiting. */
  staleAloneMs: 800,
  /** The same before the first byte of an answer: a cache that does not have the segment asks its origin first. */
  staleUnansweredMs: estimatorConfig.unusedAfterMs,
  /** The longest of them, for any round trip. */
  maxBehindMs: 2500,
  /** Round trips that one retransmission explains. */
  roundTrips: 2,
  /** A path that delivers less than this share of its expected rate falls behind. */
  behindShare: 0.1,
  /** Out-of-order bytes that show a blocked stream: more than ordinary reordering, or a tail that was received twice. */
  outOfOrderBytes: estimatorConfig.outOfOrderNoiseBytes,
  /** The first backoff; each failure adds half of it. 2 s: longer than most dips. */
  retryMs: 2000,
  /** A returned path is used within 5 s: the longest backoff and a handshake. */
  maxRetryMs: 4000,
  /** Time limit of a handshake: one lost SYN. */
  handshakeMs: 1500,
} as const;

export interface PathHealth {
  pathId: PathId;
  state: PathHealthState;
  sinceMs: number;
  /** Total bytes at `seenMs`. */
  bytes: number;
  seenMs: number;
  /** Time in which bytes of others waited for it while it delivered less than its share of its expected rate. */
  behindMs: number;
  /** It carried the stream alone when it fell behind. */
  alone: boolean;
  /** Its expected rate when it fell behind. */
  expectedBps: number;
  /** Closings since it last delivered. */
  failures: number;
  /** Its delivery rate over about the last second. */
  recentBps: number;
  /** When it came back from being out or closed; long ago if it never was. */
  backMs: number;
}

/** State of the requests: none is outstanding, none has the first byte of its answer, or one has. */
export type Outstanding = 'none' | 'unanswered' | 'answered';

/** Follows every path after new samples. */
export function followHealth(
  known: readonly PathHealth[],
  estimator: PathEstimatorState,
  nowMs: number,
  outstanding: Outstanding,
): PathHealth[] {
  const asked = outstanding !== 'none';
  const waitedFor = asked ? pathsWaitedFor(estimator) : [];
  const only = onlyActive(estimator, known);
  // The encoder may have nothing to send: a lone path then waits for the server.
  const waitsForServer = isPaced(estimator.openRequests, nowMs);
  return [...estimator.paths]
    .map(([pathId, track]): PathHealth => {
      const before = known.find((one) => one.pathId === pathId) ?? fresh(pathId, track, nowMs);
      const entry = { ...before, alone: isAlone(before, track, estimator, only) };
      const counted = asked && ((entry.alone && !waitsForServer) || waitedFor.includes(pathId));
      const moved = fallBehind(entry, track, estimator, nowMs, counted);
      const seen = { isBlocking: blocksStream(estimator, pathId), outstanding };
      const next = transition(moved, nowMs, track, seen);
      const newBytes = Math.max(0, track.totalBytes - before.bytes);
      const recentBps = before.recentBps * (1 - stepMs(before, nowMs) / 1000) + 8 * newBytes;
      return { ...next, recentBps, bytes: track.totalBytes, seenMs: nowMs };
    })
    .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
}

/**
 * Paths on which the missing byte may be outstanding: the others hold out-of-order bytes in a connection, and these paths hold
 * next to none. A backup delivers the bytes that were sent to it before it became one. It counts only if no active path does.
 */
function pathsWaitedFor({ paths }: PathEstimatorState): PathId[] {
  const inState = (wanted: PathState): PathId[] =>
    [...paths].flatMap(([pathId, { state, waitingBytes }]) =>
      state === wanted && waitingBytes >= healthConfig.outOfOrderBytes ? pathId : [],
    );
  const active = inState('active');
  return active.length > 0 ? active : inState('backup');
}

/** The only active path beside idle backups. A backup that still delivers holds the missing bytes itself. */
function onlyActive(
  { paths }: PathEstimatorState,
  known: readonly PathHealth[],
): PathId | undefined {
  const active = [...paths].filter(([, { state }]) => state === 'active');
  const backups = [...paths].filter(([, { state }]) => state === 'backup');
  const areIdle = backups.every(([id, { totalBytes }]) =>
    known.some(({ pathId, bytes }) => pathId === id && bytes === totalBytes),
  );
  return active.length === 1 && backups.length > 0 && areIdle ? active[0]?.[0] : undefined;
}

/**
 * It carried the stream beside an idle backup. All missing bytes were sent to it, so no out-of-order bytes show the
 * gap: the rest of a segment may wait in its queue. The kernel reinjects only 32 kB of it in a retransmission period
 * (Linux: __mptcp_retrans). A path that has not delivered since it became the only one waits for the other's queue.
 */
function isAlone(
  { pathId, alone, behindMs, bytes }: PathHealth,
  track: PathTrack,
  estimator: PathEstimatorState,
  only: PathId | undefined,
): boolean {
  if (track.state === 'lost' || track.blockedBytes >= healthConfig.outOfOrderBytes) return false;
  if (alone && (behindMs > 0 || pathId === only)) return true;
  const { behindShare } = healthConfig;
  const minBps = observedRate(track, track.seenMs).rateBps * behindShare;
  return pathId === only && (track.totalBytes - bytes) * 8000 > minBps * SAMPLE_PERIOD_MS;
}

/** The table above. @param seen.isBlocking a main path that fell silent while others carry on */
function transition(
  entry: PathHealth,
  nowMs: number,
  track: PathTrack,
  { isBlocking, outstanding }: { isBlocking: boolean; outstanding: Outstanding },
): PathHealth {
  const isAlive = isCarrying(track.state);
  const forMs = nowMs - entry.sinceMs;
  const go = (state: PathHealthState): PathHealth => ({ ...entry, state, sinceMs: nowMs });
  const { staleMs, staleAloneMs, staleUnansweredMs } = healthConfig;
  const aloneMs = outstanding === 'unanswered' ? staleUnansweredMs : staleAloneMs;
  switch (entry.state) {
    case 'healthy':
    case 'suspect': {
      if (track.state === 'lost') return go('out');
      const rttMs = healthConfig.roundTrips * (track.minRcvRttMs ?? 0);
      const isBehind = (ms: number): boolean =>
        entry.behindMs >= Math.min(ms + rttMs, healthConfig.maxBehindMs);
      if (isBehind(entry.alone ? aloneMs : staleMs)) {
        return close(entry, nowMs);
      }
      if (isBlocking || isBehind(healthConfig.suspectMs))
        return entry.state === 'suspect' ? entry : go('suspect');
      const failures = track.totalBytes > entry.bytes ? 0 : entry.failures;
      return entry.state === 'healthy' ? { ...entry, failures } : go('healthy');
    }
    case 'stale':
      if (track.withdrawn) return go('out');
      return forMs >= retryMs(entry.failures) ? go('probing') : entry;
    case 'probing':
      if (isAlive) return { ...go('healthy'), backMs: nowMs };
      if (track.withdrawn) return go('out');
      return forMs >= healthConfig.handshakeMs ? go('stale') : entry;
    case 'out':
      return isAlive ? { ...go('healthy'), backMs: nowMs } : entry;
  }
}

/** It blocks the stream, and begins a backoff. */
export const close = (entry: PathHealth, nowMs: number): PathHealth => ({
  ...entry,
  state: 'stale',
  sinceMs: nowMs,
  behindMs: 0,
  failures: entry.failures + 1,
});

/** Waiting time counts against it. Its delivered bytes count for it, each as ten times its expected time. */
function fallBehind(
  entry: PathHealth,
  track: PathTrack,
  estimator: PathEstimatorState,
  nowMs: number,
  isWaitedFor: boolean,
): PathHealth {
  if (!isWaitedFor) return { ...entry, behindMs: 0, expectedBps: 0 };
  const expectedBps = entry.behindMs === 0 ? observedRate(track, nowMs).rateBps : entry.expectedBps;
  // A backup delivers the bytes that were sent to it earlier. The other paths deliver those sooner, whatever its
  // rate.
  const bytes = track.state === 'backup' ? 0 : Math.max(0, track.totalBytes - entry.bytes);
  const earnedMs =
    bytes === 0 ? 0 : (bytes * 8000) / Math.max(1, expectedBps * healthConfig.behindShare);
  const behindMs = clamp(
    entry.behindMs + stepMs(entry, nowMs) - earnedMs,
    0,
    healthConfig.maxBehindMs,
  );
  return { ...entry, behindMs, expectedBps };
}

/** Time since the last call. A longer gap was not observed. */
const stepMs = ({ seenMs }: PathHealth, nowMs: number): number =>
  clamp(nowMs - seenMs, 0, healthConfig.suspectMs);

function retryMs(failures: number): number {
  return Math.min(healthConfig.maxRetryMs, (healthConfig.retryMs * (1 + failures)) / 2);
}

export function healthOf(known: readonly PathHealth[], pathId: PathId): PathHealthState {
  return known.find((one) => one.pathId === pathId)?.state ?? 'healthy';
}

/** A path in use is not healthy, and may be soon. */
export function isRecovering(known: readonly PathHealth[]): boolean {
  return known.some(({ state }) => ['suspect', 'stale', 'probing'].includes(state));
}

/** Why a path is closed. Undefined if none is. */
export function staleReason(known: readonly PathHealth[]): string | undefined {
  const stale = known.find(({ state }) => state === 'stale');
  if (stale === undefined) return undefined;
  return `${stale.pathId} blocks the stream and is closed; retried in ${formatDuration(retryMs(stale.failures))}`;
}

function fresh(pathId: PathId, track: PathTrack, nowMs: number): PathHealth {
  return {
    pathId,
    state: 'healthy',
    sinceMs: nowMs,
    bytes: track.totalBytes,
    seenMs: nowMs,
    behindMs: 0,
    alone: false,
    expectedBps: 0,
    failures: 0,
    recentBps: 0,
    backMs: -1e9,
  };
}
