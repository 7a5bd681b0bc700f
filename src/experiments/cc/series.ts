import { mean } from '../../core';
import type { CcOutcome, CcPathOutcome } from './job';

/** Interval of the samples of delays and received bytes. */
export const SAMPLE_MS = 10;
/** Averaging time of the maximum throughput. */
const GOODPUT_SAMPLES = 50;
/** Interval between points of a plot. */
const POINT_SAMPLES = 10;

/** One run, every {@link SAMPLE_MS}. */
export interface CcSamples {
  /** Protocol delays, from the first sample with an acknowledgement. */
  protocolMs: readonly number[];
  holMs: readonly number[];
  /** Smoothed round trips by path. */
  srttMs: readonly (readonly number[])[];
  /** Bytes received in order at the connection's level. */
  receivedBytes: readonly number[];
  /** Bytes received in the whole run. */
  totalBytes: number;
  durationMs: number;
  paths: readonly Pick<CcPathOutcome, 'dropsPerSecond' | 'dropRatio'>[];
}

/** Bits per second over the `count` samples before each sample. */
function goodputsOver(receivedBytes: readonly number[], count: number): number[] {
  return receivedBytes.slice(count).map((bytes, index) => {
    const before = receivedBytes[index] ?? 0;
    return ((bytes - before) * 8e3) / (count * SAMPLE_MS);
  });
}

/** The course of throughput is judged from here on: the first slow start is over. */
const COURSE_FROM_SAMPLE = 2000 / SAMPLE_MS;
/** A tenth of a second below this share of the mean throughput has hardly any. Chosen for "approaches zero". */
const STILL = 0.05;
/** "The maximum values hover", below occasional peaks. */
const HIGH_SHARE = 0.95;
/** Fewer half seconds have no course. */
const MIN_COURSE = 4;

/** Mbit/s of each `count` samples, one after the other, after the first two seconds. */
function courseMbps(receivedBytes: readonly number[], count: number): number[] {
  // Sample i is of the end of period i.
  const bounds = receivedBytes.filter(
    (_, index) => index + 1 >= COURSE_FROM_SAMPLE && (index + 1 - COURSE_FROM_SAMPLE) % count === 0,
  );
  return bounds
    .slice(1)
    .map((bytes, index) => ((bytes - (bounds[index] ?? 0)) * 8) / (1e3 * count * SAMPLE_MS));
}

/** Variation and slope of the goodput of half seconds, and the time with hardly any, after the first two seconds. */
function courseOf(
  receivedBytes: readonly number[],
): Pick<CcOutcome, 'goodputVariation' | 'goodputSlopeMbps' | 'stillShare'> {
  const seconds = (GOODPUT_SAMPLES * SAMPLE_MS) / 1000;
  const goodputs = courseMbps(receivedBytes, GOODPUT_SAMPLES);
  const level = mean(goodputs);
  if (goodputs.length < MIN_COURSE || level === undefined || level === 0) return {};
  const middle = (goodputs.length - 1) / 2;
  const sum = (of: (mbps: number, index: number) => number): number =>
    goodputs.map(of).reduce((total, one) => total + one, 0);
  const squares = sum((mbps) => (mbps - level) ** 2);
  const covariance = sum((mbps, index) => (index - middle) * (mbps - level));
  const spread = sum((_, index) => (index - middle) ** 2);
  const tenths = courseMbps(receivedBytes, POINT_SAMPLES);
  const still = tenths.filter((mbps) => mbps < STILL * level);
  return {
    goodputVariation: Math.sqrt(squares / (goodputs.length - 1)) / level,
    goodputSlopeMbps: covariance / spread / seconds,
    stillShare: still.length / tenths.length,
  };
}

const thinned = (values: readonly number[]): number[] =>
  values.filter((_, index) => index % POINT_SAMPLES === 0);

const toMax = (values: readonly number[]): number | null =>
  values.length > 0 ? Math.max(...values) : null;

/** The least of the protocol delays, and what all but the highest stay below. */
function edgesOf(
  protocolMs: readonly number[],
): Pick<CcOutcome, 'protocolMinMs' | 'protocolHighMs'> {
  const sorted = [...protocolMs].sort((a, b) => a - b);
  const [least] = sorted;
  const high = sorted[Math.floor(HIGH_SHARE * sorted.length)];
  return least === undefined || high === undefined
    ? {}
    : { protocolMinMs: least, protocolHighMs: high };
}

/** Quantities of Table 3 and of the run's course. @param withSeries for the plots too */
export function outcomeOf(samples: CcSamples, withSeries: boolean): CcOutcome {
  const { protocolMs, holMs, srttMs, receivedBytes, totalBytes, durationMs, paths } = samples;
  return {
    protocolMeanMs: mean(protocolMs) ?? null,
    protocolMaxMs: toMax(protocolMs),
    holMeanMs: mean(holMs) ?? null,
    holMaxMs: toMax(holMs),
    goodputMeanBps: (totalBytes * 8e3) / durationMs,
    goodputMaxBps: toMax(goodputsOver(receivedBytes, GOODPUT_SAMPLES)) ?? 0,
    ...courseOf(receivedBytes),
    ...edgesOf(protocolMs),
    paths: paths.map((drops, index) => {
      const srtts = srttMs[index] ?? [];
      return { srttMeanMs: mean(srtts) ?? null, srttMaxMs: toMax(srtts), ...drops };
    }),
    ...(withSeries
      ? {
          series: {
            protocolMs: thinned(protocolMs),
            holMs: thinned(holMs),
            goodputBps: thinned(goodputsOver(receivedBytes, POINT_SAMPLES)),
            srttMs: srttMs.map(thinned),
          },
        }
      : {}),
  };
}
