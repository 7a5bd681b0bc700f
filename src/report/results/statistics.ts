import { mean, median } from '../../core';
import type { Metric } from '../../qoe';
import { estimate } from './estimate';
import {
  criticalT,
  holm,
  medianInterval,
  pairedT,
  signedRank,
  standardDeviation,
} from './tests-of-pairs';
import type { Comparison, MetricStatistics, NoisePoint, TrialResult } from './types';

/** Least number of pairs: with fewer, the rank test cannot fall below 0.05 (2 / 2^5 is 0.0625). */
export const MIN_PAIRS = 6;

/** Usual level of significance. */
const SIGNIFICANT = 0.05;

const numbers = (trials: readonly TrialResult[], metric: string): number[] =>
  trials.flatMap((trial) => {
    const value = trial.metrics[metric];
    return trial.status === 'ok' && typeof value === 'number' ? [value] : [];
  });

/** One metric of one player's trials. */
export function metricStatistics(
  player: string,
  { name: metric, isSigned }: Pick<Metric, 'name' | 'isSigned'>,
  trials: readonly TrialResult[],
): MetricStatistics {
  const values = numbers(trials, metric);
  const { mean: centre, low, high } = estimate(values);
  const interval = medianInterval(values);
  // Student's interval knows no bound.
  const least = isSigned ? -Infinity : 0;
  return {
    player,
    metric,
    count: values.length,
    mean: centre,
    meanLow: low === null ? null : Math.max(least, low),
    meanHigh: high,
    standardDeviation: standardDeviation(values) ?? null,
    median: median(values) ?? null,
    medianLow: interval?.low ?? null,
    medianHigh: interval?.high ?? null,
    medianConfidence: interval?.confidence ?? null,
    min: values.length > 0 ? Math.min(...values) : null,
    max: values.length > 0 ? Math.max(...values) : null,
  };
}

/** Trials are a pair if one run played both with the same number and seed. */
const pairKey = (trial: TrialResult): string => `${trial.run}\n${trial.trial}\n${trial.seed}`;

/** Compares one metric of every other player with the reference's, in pairs, corrected for their number. */
export function comparePlayers(
  metric: Metric,
  reference: string,
  others: readonly string[],
  trials: readonly TrialResult[],
): Comparison[] {
  const valuesOf = (player: string): Map<string, number> =>
    new Map(
      trials.flatMap((trial): [string, number][] => {
        const value = trial.metrics[metric.name];
        const counts = trial.status === 'ok' && trial.player === player;
        return counts && typeof value === 'number' ? [[pairKey(trial), value]] : [];
      }),
    );
  const base = valuesOf(reference);
  const plain = others.map((player) =>
    compare(metric.name, player, reference, valuesOf(player), base),
  );
  const pTs = holm(plain.map((one) => one.pT));
  const pWilcoxons = holm(plain.map((one) => one.pWilcoxon));
  return plain.map((one, i) => {
    const pTHolm = pTs[i] ?? null;
    return {
      ...one,
      pTHolm,
      pWilcoxonHolm: pWilcoxons[i] ?? null,
      verdict: verdictOf(metric, one.pairs, one.meanDifference, pTHolm),
    };
  });
}

function compare(
  metric: string,
  player: string,
  reference: string,
  values: ReadonlyMap<string, number>,
  base: ReadonlyMap<string, number>,
): Comparison {
  const pairs = [...values].flatMap(([key, value]) => {
    const other = base.get(key);
    return other === undefined ? [] : [{ value, other }];
  });
  const differences = pairs.map(({ value, other }) => value - other);
  const { mean: difference, low, high } = estimate(differences);
  const deviation = standardDeviation(differences) ?? null;
  const referenceMean = mean(pairs.map(({ other }) => other)) ?? 0;
  const ranks = signedRank(differences);
  const enough = differences.length >= 2;
  return {
    metric,
    player,
    reference,
    pairs: pairs.length,
    meanDifference: difference,
    low,
    high,
    relativeDifference:
      difference !== null && referenceMean > 0 ? difference / referenceMean : null,
    effectSize:
      difference !== null && deviation !== null && deviation > 0 ? difference / deviation : null,
    rankBiserial: ranks?.rankBiserial ?? (enough ? 0 : null),
    pT: pairedT(differences) ?? null,
    pWilcoxon: ranks?.p ?? (enough ? 1 : null),
    pTHolm: null,
    pWilcoxonHolm: null,
    verdict: 'few',
  };
}

function verdictOf(
  metric: Metric,
  pairs: number,
  difference: number | null,
  p: number | null,
): Comparison['verdict'] {
  if (pairs < MIN_PAIRS || p === null || difference === null) return 'few';
  if (p >= SIGNIFICANT) return 'no difference shown';
  if (metric.better === 'none') return 'different';
  return difference > 0 === (metric.better === 'higher') ? 'better' : 'worse';
}

/** Numbers of trials for which the report predicts the precision. */
const NOISE_TRIALS = [2, 3, 5, 10, 15, 25, 50];

/** Width of a mean's interval for other numbers of trials with the observed spread. */
export function noiseOf(statistics: MetricStatistics): NoisePoint[] {
  const { player, metric, standardDeviation: deviation, mean: centre } = statistics;
  if (deviation === null || centre === null) return [];
  return NOISE_TRIALS.map((trials) => {
    const half = (criticalT(trials - 1) * deviation) / Math.sqrt(trials);
    return { player, metric, trials, halfWidth: half, relative: centre > 0 ? half / centre : null };
  });
}
