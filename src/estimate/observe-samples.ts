import {
  coveredMs,
  ENCODER_PAUSE_MS,
  isCarrying,
  mergeSpans,
  observeBatch,
  type LedgerInterval,
  type PathId,
  type PathInterval,
  type SampleBatch,
  type Span,
  type PathState,
} from '../core';
import { estimatorConfig, MAX_KEPT } from './config';
import { dropRun, observeRate } from './path-rate';
import { returnedPath } from './returned-path';
import { recallRate } from './remembered';
import { afterClockReset } from './clock-reset';
import { isPaced, type PathEstimatorState, type PathTrack } from './state';

/** Adds one batch of samples. A batch that is not newer than the last changes nothing, unless the clock was set back. */
export function observeSamples(known: PathEstimatorState, batch: SampleBatch): PathEstimatorState {
  const state = afterClockReset(known, batch.monotonicMs);
  const { ledger, interval } = observeBatch(state.ledger, batch);
  if (!interval) return state;
  const busy = busySpan(state, interval);
  // In this part of the interval the server may have had nothing to send, so it measures nothing.
  const paced = isPaced([...state.finished, ...state.openRequests], interval.startMs);
  const minMs = interval.endMs - interval.startMs - estimatorConfig.coverToleranceMs;
  const covered =
    !paced &&
    interval.continuous &&
    busy !== undefined &&
    coveredMs([busy], interval.startMs, interval.endMs) >= minMs;

  const paths = new Map<PathId, PathTrack>();
  const ids = new Set([...state.paths.keys(), ...interval.paths.keys()]);
  for (const id of ids) {
    const seen = interval.paths.get(id);
    const known = state.paths.get(id) ?? newTrack(state, id, seen?.addresses ?? [], interval.endMs);
    const track = followState(state, known, seen, interval);
    const awaited = awaitedSpan(track, seen, interval, minMs);
    const isPacedHere = paced && !isLeftBehind(state, track);
    const own = awaited ?? { busy, covered };
    const cover = { ...own, covered: own.covered && !isPacedHere, paced: isPacedHere };
    const rated = followRate(state, track, seen, interval, cover);
    const bytes = seen?.bytes ?? 0;
    const held = interval.continuous ? seen : undefined;
    const measures = cover.covered && seen?.measured === true && rated.state === 'active';
    paths.set(id, {
      ...rated,
      blockedBytes: held?.blockedBytes ?? 0,
      waitingBytes: held?.waitingBytes ?? 0,
      silentMs: followSilence(rated, bytes, interval, own.covered),
      awaited: awaited?.covered ?? false,
      totalBytes: rated.totalBytes + bytes,
      throughputBps: measures ? bitsPerSecond(bytes, interval) : undefined,
    });
  }
  forgetOldest(paths);
  return {
    ...state,
    independent: batch.connections.length > 0 ? interval.ranges : state.independent,
    ledger,
    paths,
    outOfOrderBytes: interval.outOfOrderBytes,
    goodputBps: covered ? bitsPerSecond(interval.inOrderBytes, interval) : undefined,
  };
}

/**
 * The time in which an answer was awaited on this path itself. Only its length is known. After an interval that it filled
 * it ended in this one, otherwise it began. Undefined if it is unknown.
 */
function awaitedSpan(
  { awaited }: PathTrack,
  seen: PathInterval | undefined,
  { startMs, endMs, continuous }: LedgerInterval,
  minMs: number,
): { busy: Span | undefined; covered: boolean } | undefined {
  const awaitedMs = seen?.awaitedMs;
  if (awaitedMs === undefined) return undefined;
  if (continuous && awaitedMs >= minMs) {
    return { busy: { startMs, endMs: Infinity }, covered: true };
  }
  if (!(awaitedMs > 0)) return { busy: undefined, covered: false };
  const busy = awaited
    ? { startMs, endMs: startMs + awaitedMs }
    : { startMs: endMs - awaitedMs, endMs: Infinity };
  return { busy, covered: false };
}

/** Its own request has been silent for longer than an encoder pauses, and that of another one has not. */
function isLeftBehind({ paths }: PathEstimatorState, track: PathTrack): boolean {
  return (
    track.silentMs >= ENCODER_PAUSE_MS &&
    [...paths.values()].some(({ awaited, silentMs }) => awaited && silentMs < ENCODER_PAUSE_MS)
  );
}

function followSilence(
  { silentMs, state }: PathTrack,
  bytes: number,
  interval: LedgerInterval,
  covered: boolean,
): number {
  if (bytes > 0 || state !== 'active' || !interval.continuous) return 0;
  return covered ? silentMs + interval.endMs - interval.startMs : silentMs;
}

function bitsPerSecond(bytes: number, interval: LedgerInterval): number {
  return (bytes * 8000) / (interval.endMs - interval.startMs);
}

/** The latest end of outstanding time within the interval. */
function busySpan(state: PathEstimatorState, interval: LedgerInterval): Span | undefined {
  const open = state.openRequests.map(({ startMs }) => ({ startMs, endMs: Infinity }));
  return mergeSpans([...state.finished, ...open])
    .filter((span) => span.startMs < interval.endMs && span.endMs > interval.startMs)
    .at(-1);
}

function newTrack(
  { remembered }: PathEstimatorState,
  id: PathId,
  addresses: readonly string[],
  nowMs: number,
): PathTrack {
  return {
    state: 'connecting',
    liveState: 'connecting',
    lostAtMs: undefined,
    withdrawn: false,
    unusedMs: 0,
    silentMs: 0,
    awaited: false,
    seenMs: nowMs,
    subflows: 0,
    interfaceName: undefined,
    addresses: [],
    rcvRttMs: undefined,
    minRttMs: undefined,
    minRcvRttMs: undefined,
    blockedBytes: 0,
    waitingBytes: 0,
    totalBytes: 0,
    throughputBps: undefined,
    rate: recallRate(remembered, id, addresses, nowMs),
  };
}

function followState(
  state: PathEstimatorState,
  track: PathTrack,
  seen: PathInterval | undefined,
  interval: LedgerInterval,
): PathTrack {
  const lost = track.state === 'lost';
  if (lost && track.lostAtMs !== undefined && interval.endMs <= track.lostAtMs) return track;
  const lives = [...interval.paths.values()].some(({ state: one }) => isCarrying(one));
  if (interval.connections === 0 && (seen === undefined || seen.state === 'closed')) {
    // The path ended with its connection, for example after `Connection: close`. This is no evidence about the
    // network. A young connection, such as that of the sound, has not joined over every path yet.
    return lost && !lives && !track.withdrawn
      ? { ...track, state: track.liveState, subflows: 0 }
      : track;
  }
  if (!seen) {
    return lost ? track : { ...track, state: 'lost', lostAtMs: interval.endMs, subflows: 0 };
  }
  const facts: PathTrack = {
    ...track,
    seenMs: interval.endMs,
    subflows: seen.subflows,
    interfaceName: seen.interfaceName ?? track.interfaceName,
    addresses: seen.addresses,
    rcvRttMs: seen.rcvRttMs ?? track.rcvRttMs,
    minRttMs: seen.minRttMs ?? track.minRttMs,
    minRcvRttMs: lost ? seen.rcvRttMs : shorter(track.minRcvRttMs, seen.rcvRttMs),
  };
  if (seen.state === 'closed') {
    return lost ? facts : { ...facts, state: 'lost', lostAtMs: interval.endMs };
  }
  // The handshake of the next connection, without another connection, removes no path either.
  const reopens = seen.state === 'connecting' && !lives && isCarrying(track.liveState);
  const sampled: Exclude<PathState, 'lost'> = reopens ? track.liveState : seen.state;
  if (!lost) return { ...facts, state: sampled, liveState: sampled };
  const bytesSince = seen.bytes > 0 && interval.startMs >= (track.lostAtMs ?? 0);
  if (track.withdrawn && !bytesSince) return facts;
  return returnedPath(facts, sampled, interval.endMs);
}

function followRate(
  state: PathEstimatorState,
  track: PathTrack,
  seen: PathInterval | undefined,
  interval: LedgerInterval,
  { busy, covered, paced }: { busy: Span | undefined; covered: boolean; paced: boolean },
): PathTrack {
  const bytes = seen?.bytes ?? 0;
  const alive = track.state === 'active' || (track.state === 'backup' && bytes > 0);
  if (!interval.continuous || !seen?.measured || !alive) {
    return { ...track, rate: dropRun(track.rate), unusedMs: bytes > 0 ? 0 : track.unusedMs };
  }
  let otherBytes = 0;
  let activeBytes = 0;
  let waitingBytes = 0;
  for (const [, path] of interval.paths) {
    if (path === seen) continue;
    otherBytes += path.bytes;
    if (path.state === 'active') activeBytes += path.bytes;
    waitingBytes += path.blockedBytes;
  }
  const isOutOfOrder = interval.outOfOrderBytes >= estimatorConfig.outOfOrderNoiseBytes;
  // The others deliver in order, so no gap waits for this path.
  const othersDeliver = otherBytes > 0 && interval.inOrderBytes > 0;
  const isAwaited = seen.awaitedMs !== undefined && covered;
  const blocks = isAwaited || (isOutOfOrder ? seen.blockedBytes < waitingBytes : !othersDeliver);
  const rate = observeRate(track.rate, {
    startMs: interval.startMs,
    endMs: interval.endMs,
    bytes,
    busy,
    covered: covered || paced,
    awaitedMs: seen.awaitedMs,
    paced,
    blocks: blocks && !paced,
    rcvRttMs: track.rcvRttMs,
    minRttMs: seen.minRttMs,
  });
  // A network without a request is one that the scheduler leaves out.
  const isIdle = seen.awaitedMs === undefined ? covered : seen.awaitedMs === 0;
  // A backup delivers the rest of its queue, and the scheduler has nothing for the others.
  const unused = bytes === 0 && isIdle && othersDeliver && activeBytes > 0 && !isOutOfOrder;
  const unusedMs =
    bytes > 0 ? 0 : unused ? track.unusedMs + interval.endMs - interval.startMs : track.unusedMs;
  return { ...track, rate, unusedMs };
}

function forgetOldest(paths: Map<PathId, PathTrack>): void {
  while (paths.size > MAX_KEPT) {
    const oldest = [...paths].reduce((a, b) => (b[1].seenMs < a[1].seenMs ? b : a));
    paths.delete(oldest[0]);
  }
}

const shorter = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
