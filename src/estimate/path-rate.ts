import { ewmaMean, updateEwma } from '../core';
import { estimatorConfig } from './config';
import { marginBps, rateConfidence, unmeasured, type MeasuredRate } from './measured-rate';

/**
 * A rate has changed permanently if its mean over one second differs from its mean over six seconds by this factor,
 * in either direction. A dip ends with a second of data. Chosen on training walks; not measured by itself.
 */
const CHANGE_RATIO = 1.5;

/** The header of an answer or a keep-alive. One packet in a sample is not data for which others could wait. */
const ONE_PACKET_BYTES = 1500;

/** Round trips for which a path is silent between two requests, without a fault: the request's, and one to spare. */
const REQUEST_ROUND_TRIPS = 2;

/**
 * A chunk at the pace of an encoder stands for this multiple of its time: until the next one nothing is sent. Otherwise the mean
 * would follow a path that has become faster for minutes.
 */
const PACED_WEIGHT = 5;

/** Bytes that arrived over a stretch of time. */
interface Stretch {
  bytes: number;
  ms: number;
}

const bpsOf = ({ bytes, ms }: Stretch): number => (bytes * 8000) / ms;
const busier = (one: Stretch | undefined, other: Stretch): Stretch =>
  one && bpsOf(one) >= bpsOf(other) ? one : other;

/** A time in which the sender has data for this path, within a time with a request outstanding. */
interface Run {
  /** The request's start, or the first bytes after the sender had no data for this path. */
  startMs: number;
  /** End of the newest interval with bytes. */
  bytesEndMs: number;
  bytes: number;
  /** The part of the time in which an answer was awaited, as far as it is known, and only before the run is `moving`. */
  awaitedMs: number;
  /** Delay of its first byte: half a round trip, which is not part of the transmission. */
  onWayMs: number;
  /** Its busiest interval. Undefined before the first interval that follows another one with bytes. */
  peak: Stretch | undefined;
  /** Between the first byte and the time when the sender had no more data for this path. */
  moving: boolean;
  /** The sender had no more data for this path, while the others continued. */
  dry: boolean;
  /** Newest stretch with bytes. Only the next stretch shows that the sender was busy to its end. */
  waiting: Stretch | undefined;
  silentMs: number;
  /** Some of its stretches were counted, and are newer than its mean. */
  counted: boolean;
}

/**
 * The measured rate of one path, without assumptions. Plain data. Its time and bytes include those of runs that only bound
 * the rate.
 */
export interface PathRate extends MeasuredRate {
  /** The best lower bound, used before the first measurement. */
  floorBps: number;
  run: Run | undefined;
}

export const unknownRate: PathRate = {
  ...unmeasured,
  floorBps: 0,
  run: undefined,
};

/** Expected rate: halfway between the two means, or the newer one after a change; the floor before any measurement. */
export function expectedBps(rate: PathRate): number {
  const fast = ewmaMean(rate.fast);
  const slow = ewmaMean(rate.slow);
  if (fast === undefined || slow === undefined) return rate.floorBps;
  const isChanged = fast > CHANGE_RATIO * slow || slow > CHANGE_RATIO * fast;
  return isChanged ? fast : (fast + slow) / 2;
}

/** The estimate of a path: its expected rate, and a lower one for decisions. */
export function observedRate(
  { rate }: { rate: PathRate },
  nowMs: number,
): { rateBps: number; safeRateBps: number; confidence: number } {
  const rateBps = expectedBps(rate);
  return {
    rateBps,
    safeRateBps: marginBps(rate, rateBps),
    confidence: rateConfidence(rate, nowMs),
  };
}

/**
 * Adds a stretch in which the sender had data for this path all the time. Faster bytes weigh as much as the time that they
 * would have taken at the known rate. After a dip small segments arrive within moments: a mean over time alone would stay
 * low for many of them.
 */
function count(rate: PathRate, stretch: Stretch, nowMs: number, weight = 1): PathRate {
  const bps = bpsOf(stretch);
  const fastBps = ewmaMean(rate.fast);
  const isFaster = fastBps !== undefined && bps > fastBps;
  const weightMs = weight * (isFaster ? (stretch.bytes * 8000) / fastBps : stretch.ms);
  return {
    ...rate,
    fast: updateEwma(rate.fast, bps, weightMs, estimatorConfig.fastHalfLifeMs),
    slow: updateEwma(rate.slow, bps, weight * stretch.ms, estimatorConfig.slowHalfLifeMs),
    floorBps: 0,
    countedMs: rate.countedMs + stretch.ms,
    measuredBytes: rate.measuredBytes + stretch.bytes,
    measuredAtMs: nowMs,
  };
}

/** The time in which answers were awaited, for a run of intervals that each have idle time too. Else 0. */
const burstsMs = ({ moving, awaitedMs }: Run): number => (moving ? 0 : awaitedMs);

/**
 * The larger of a run's two lower bounds: the rate over its whole busy time, waits for answers included, and the
 * rate of its busiest interval.
 */
function boundOf(run: Run, endMs: number): Stretch {
  const lastMs = Math.min(endMs, run.bytesEndMs) - run.startMs;
  const busyMs = Math.min(lastMs, burstsMs(run) || lastMs);
  const ms = Math.max(estimatorConfig.minBurstMs, busyMs - run.onWayMs);
  const whole = { bytes: run.bytes, ms };
  return run.peak && bpsOf(run.peak) > bpsOf(whole) ? run.peak : whole;
}

/** Ends the run. Its delivery rate is a lower bound of the path's rate; that of one packet is none, it takes a round trip. */
export function endRun(rate: PathRate, endMs: number, weight = 1): PathRate {
  const { run } = rate;
  if (!run) return rate;
  const closed: PathRate = { ...rate, run: undefined };
  if (run.bytes <= ONE_PACKET_BYTES || run.counted) return closed;
  const bound = boundOf(run, endMs);
  const boundBps = bpsOf(bound);
  const fastBps = ewmaMean(rate.fast);
  if (fastBps !== undefined && boundBps > fastBps) {
    return count(closed, bound, endMs, weight);
  }
  const knownBps = fastBps ?? rate.floorBps;
  const higherBps = Math.max(knownBps, boundBps);
  // The bound confirms a higher estimate in part. A bound far below may come from a path that has become slower.
  const share = boundBps / higherBps;
  const confirms = share >= estimatorConfig.confirmShare ? share : 0;
  const remains = knownBps / higherBps;
  return {
    ...closed,
    floorBps: fastBps === undefined ? higherBps : 0,
    countedMs: rate.countedMs * remains + bound.ms * confirms,
    measuredBytes: rate.measuredBytes * remains + run.bytes * confirms,
    measuredAtMs: fastBps === undefined ? endMs : rate.measuredAtMs,
  };
}

/** Drops the run without a conclusion (gap, restarted counter). */
export function dropRun(rate: PathRate): PathRate {
  return rate.run ? { ...rate, run: undefined } : rate;
}

export interface RateInterval {
  startMs: number;
  endMs: number;
  bytes: number;
  /** Time with a request outstanding that overlaps this interval. Undefined if none does. */
  busy: { startMs: number; endMs: number } | undefined;
  /** A request was outstanding from start to end. */
  covered: boolean;
  /** The part of it in which an answer was awaited on this path; undefined if it is unknown. */
  awaitedMs: number | undefined;
  /** In a part of it the server may have had nothing to send: the bytes only bound the rate. */
  paced: boolean;
  /** The connection may be waiting for this path: then the path causes the silence. */
  blocks: boolean;
  rcvRttMs: number | undefined;
  minRttMs: number | undefined;
}

/** One interval of one path that may carry data. */
export function observeRate(before: PathRate, interval: RateInterval): PathRate {
  const { busy, bytes } = interval;
  const weight = interval.paced ? PACED_WEIGHT : 1;
  // On a fast link small answers follow each other with idle time in between: no interval is covered, and the run would last
  // until the buffer is full.
  const isEnough =
    !interval.covered && before.run && burstsMs(before.run) >= estimatorConfig.minBurstMs;
  const rate = !busy || isEnough ? endRun(before, interval.startMs, weight) : before;
  if (!busy) return rate;
  const goesOn = busy.endMs > interval.endMs - estimatorConfig.coverToleranceMs;
  const fresh: Run = {
    startMs: busy.startMs,
    bytesEndMs: interval.startMs,
    bytes: 0,
    awaitedMs: 0,
    onWayMs: (interval.minRttMs ?? 0) / 2,
    peak: undefined,
    moving: false,
    dry: false,
    waiting: undefined,
    silentMs: 0,
    counted: false,
  };
  const known = rate.run ?? fresh;
  // The handshake of a path that was silent may have taken longer than the bytes do.
  const onWayMs =
    bytes > 0 && known.bytes === 0
      ? Math.min(known.onWayMs, interval.endMs - known.startMs)
      : known.onWayMs;
  const run = { ...known, onWayMs };
  if (!interval.covered) {
    // First or last part of a busy time: the bytes count, the rate of this interval does not.
    const bytesEndMs = bytes > 0 ? interval.endMs : run.bytesEndMs;
    const awaitedMs = run.awaitedMs + (run.moving ? 0 : (interval.awaitedMs ?? 0));
    const carried: Run = { ...run, bytesEndMs, bytes: run.bytes + bytes, awaitedMs };
    const withBytes: PathRate = { ...rate, run: carried };
    return goesOn ? withBytes : endRun(withBytes, busy.endMs, weight);
  }
  const ms = interval.endMs - interval.startMs;
  // A packet beside the others' data counts as silence: the sender had no more data for this path.
  if (bytes > (interval.blocks ? 0 : ONE_PACKET_BYTES)) {
    const carried: Run = {
      ...run,
      startMs: run.dry ? interval.startMs : run.startMs,
      onWayMs: run.dry ? 0 : run.onWayMs,
      bytesEndMs: interval.endMs,
      bytes: run.bytes + bytes,
      peak: run.silentMs > 0 ? run.peak : busier(run.peak, { bytes, ms }),
      moving: true,
      dry: false,
      silentMs: 0,
      counted: run.counted || run.waiting !== undefined,
    };
    if (!run.moving || interval.paced) return { ...rate, run: { ...carried, waiting: undefined } };
    const settled = run.waiting ? count(rate, run.waiting, interval.startMs) : rate;
    return { ...settled, run: { ...carried, waiting: { bytes, ms: ms + run.silentMs } } };
  }
  if (!interval.blocks) {
    if (!run.moving) return { ...rate, run: { ...run, silentMs: 0 } };
    // The sender had no more data for this path: the newest stretch was only partly used.
    const bounded = endRun(rate, run.bytesEndMs, weight);
    return { ...bounded, run: { ...fresh, dry: true } };
  }
  const silentMs = run.silentMs + ms;
  const roundTripsMs = REQUEST_ROUND_TRIPS * (interval.rcvRttMs ?? 0);
  const limitMs = Math.max(
    run.moving ? estimatorConfig.silentAfterMs : estimatorConfig.unusedAfterMs,
    Math.min(roundTripsMs, estimatorConfig.unusedAfterMs),
  );
  if (silentMs < limitMs) return { ...rate, run: { ...run, silentMs } };
  const settled = run.waiting ? count(rate, run.waiting, interval.startMs) : rate;
  const outage = count(settled, { bytes: 0, ms: silentMs }, interval.endMs);
  return { ...outage, run: { ...run, waiting: undefined, silentMs: 0, counted: true } };
}
