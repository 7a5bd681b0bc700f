import type { Forecast } from '../core';
import type { Uncertainty } from '../abr';
import { METERED_POLICY } from './config';
import { meanError, type ForecastErrors } from './forecast-errors';
import { spellEnd } from './link-history';
import { healthOf } from './path-health';
import { sizeSpread } from './segment-sizes';
import type { BrainState } from './state';

export const uncertaintyConfig = {
  /**
   * Spread of the next rate in mean errors. With it the intervals of 50, 80 and 95 % hold 50, 77 and 92 % over byte ranges,
   * 52, 79 and 92 % over MPTCP (12,000 segments of simulated training pairs; with 1: 54, 81, 94 and 56, 82, 94). The planner
   * takes all of the mean error: with 0.9 walks stalled for 0.26 s in place of 0.07.
   */
  ofMeanError: 0.9,
  /** A suspect path is as likely to be in a dip as to have failed. */
  suspectFailure: 0.5,
  /**
   * Chance that a path falls below a tenth during a segment. Over byte ranges only a failure of the best path is felt:
   * 0.053 of 2 s on training walks, 0.010 on pairs of training traces. Over MPTCP every path in use holds the next byte at
   * times, so the chances add up: 3 to 6 % of the segments of walks come at a third of their forecast or slower. A growing
   * segment: its chunks bound the rate from below, and with more caution it stays on the lowest rung, which cannot
   * raise that bound (`low-latency.test.ts`).
   */
  failure: { mptcp: 0.03, ranges: 0.05, growing: 0.02 },
  /** Share of the rate after a failure, at least (simulated training pairs: README). */
  minShare: { whole: 0.3, growing: 0.7 },
  /**
   * Time until the others carry what a failed path owes. MPTCP: it is closed after 0.8 to 1.2 s (`healthConfig`), and
   * the kernel reinjects its bytes at once. Byte ranges: the slowest of five trials of each failure took 69 to 489 ms
   * (`npm run bench -- ranges-failures`).
   */
  failureMs: { mptcp: 1000, ranges: 500 },
  /**
   * Chance that nothing arrives for `outageMs` before a segment comes at its usual rate. Over MPTCP 0.3 to 1 % of the
   * segments of training walks of 300 s come 6 s later than their forecast, over byte ranges 0.2 %: there it gains nothing.
   */
  outage: { mptcp: 0.005, ranges: 0 },
  outageMs: 6000,
  /** A forecast of less confidence is a bound (a manifest, one burst): its difference from the rate is no error. */
  minConfidence: 0.1,
  /** Spread of a rate that was never measured. Simulated training pairs: first forecasts have errors of 0.35 to 0.6. */
  unknownSpread: 0.7,
} as const;

type Believed = Pick<BrainState, 'errors' | 'sizes' | 'health' | 'config' | 'links'>;

/**
 * Uncertainty of the forecast for the paths that it covers. The chunks of a growing segment bound the rate from
 * below many times, so only the part above is unknown. One burst of a download predicts little about the next two
 * seconds.
 */
export function uncertainty(
  { errors, sizes, health, config, links }: Believed,
  forecast: Forecast,
  growing: boolean,
  segmentMs: number,
): Uncertainty {
  const used = forecast.paths.filter(({ usable }) => usable);
  const sumBps = used.reduce((sum, { rateBps }) => sum + rateBps, 0);
  const bestBps = Math.max(0, ...used.map(({ rateBps }) => rateBps));
  const isSuspect = used.some(({ pathId }) => healthOf(health, pathId) === 'suspect');
  const { suspectFailure, minShare, failureMs, failure: chances } = uncertaintyConfig;
  const over = config.carriage === 'ranges' ? 'ranges' : 'mptcp';
  const chance = chances[growing ? 'growing' : over];
  const failure = Math.max(
    over === 'ranges' ? chance : chance * Math.max(1, used.length),
    spellEnd(links, forecast, 'up', segmentMs)?.chance ?? 0,
  );
  const known = meanError(errors);
  const rise = withUnknown(known, forecast);
  return {
    spread: growing ? known : rise,
    rise,
    // Simulated training pairs: from segment to segment the rate changes as much as it misses its forecast.
    step: known,
    failureNow: isSuspect ? suspectFailure : failure,
    failureLater: failure,
    failureMs: failureMs[over],
    othersShare: Math.max(
      minShare[growing ? 'growing' : 'whole'],
      sumBps > 0 ? 1 - bestBps / sumBps : 0,
    ),
    outage: uncertaintyConfig.outage[over],
    outageMs: uncertaintyConfig.outageMs,
    // The rate of a costly network is not for quality.
    back:
      config.policy === METERED_POLICY ? undefined : spellEnd(links, forecast, 'away', segmentMs),
    // A growing segment comes at the encoder's pace.
    sizeSpread: growing ? 0 : sizeSpread(sizes),
  };
}

/** Spread of the next rate's logarithm, without its tails: what the errors say. The planner is more careful. */
export const believedSpread = (errors: ForecastErrors, forecast: Forecast): number =>
  withUnknown(uncertaintyConfig.ofMeanError * meanError(errors), forecast);

const withUnknown = (known: number, { confidence }: Forecast): number =>
  Math.sqrt(known ** 2 + (uncertaintyConfig.unknownSpread * (1 - confidence)) ** 2);
