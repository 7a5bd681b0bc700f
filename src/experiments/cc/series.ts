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
/** Fewer half seconds have no course. */
const MIN_COURSE = 4;

/** Variation and slope of the goodput of half seconds, after the first two seconds. */
function courseOf(
  receivedBytes: readonly number[],
): Pick<CcOutcome, 'goodputVariation' | 'goodputSlopeMbps'> {
  // Sample i is of the end of period i.
  const bounds = receivedBytes.filter(
    (_, index) =>
      index + 1 >= COURSE_FROM_SAMPLE && (index + 1 - COURSE_FROM_SAMPLE) % GOODPUT_SAMPLES === 0,
  );
  const seconds = (GOODPUT_SAMPLES * SAMPLE_MS) / 1000;
  const goodputs = bounds
    .slice(1)
    .map((bytes, index) => ((bytes - (bounds[index] ?? 0)) * 8) / (1e6 * seconds));
  const level = mean(goodputs);
  if (goodputs.length < MIN_COURSE || level === undefined || level === 0) return {};
  const middle = (goodputs.length - 1) / 2;
  const sum = (of: (mbps: number, index: number) => number): number =>
    goodputs.map(of).reduce((total, one) => total + one, 0);
  const squares = sum((mbps) => (mbps - level) ** 2);
  const covariance = sum((mbps, index) => (index - middle) * (mbps - level));
  const spread = sum((_, index) => (index - middle) ** 2);
  return {
    goodputVariation: Math.sqrt(squares / (goodputs.length - 1)) / level,
    goodputSlopeMbps: covariance / spread / seconds,
  };
}

const thinned = (values: readonly number[]): number[] =>
  values.filter((_, index) => index % POINT_SAMPLES === 0);

const toMax = (values: readonly number[]): number | null =>
  values.length > 0 ? Math.max(...values) : null;

/** Table 3's quantities. @param withSeries for the plots too */
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
