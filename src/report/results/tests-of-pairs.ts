import jstat from 'jstat';
import { mean } from '../../core';

const { studentt } = jstat.jStat;

/** Two-sided 95 % point of Student's t. */
export function criticalT(freedom: number): number {
  return studentt.inv(0.975, freedom);
}

/** Standard deviation of a sample; undefined for fewer than two values. */
export function standardDeviation(values: readonly number[]): number | undefined {
  const centre = mean(values);
  if (centre === undefined || values.length < 2) return undefined;
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * Two-sided p of the paired t test for differences. Undefined for fewer than two. Without spread it is 1 if
 * all are 0, else 0, and the reader should look at the values.
 */
export function pairedT(differences: readonly number[]): number | undefined {
  const centre = mean(differences);
  const deviation = standardDeviation(differences);
  if (centre === undefined || deviation === undefined) return undefined;
  if (deviation <= Math.abs(centre) * 1e-12) return centre === 0 ? 1 : 0;
  const t = Math.abs(centre) / (deviation / Math.sqrt(differences.length));
  return Math.min(1, 2 * studentt.cdf(-t, differences.length - 1));
}

export interface SignedRank {
  /** Two-sided and exact, also with ties. */
  p: number;
  /** Positive minus negative ranks over all ranks, -1 to 1. */
  rankBiserial: number;
}

/**
 * Wilcoxon's signed-rank test (Wilcoxon 1945): differences of 0 are left out, ties get their mean rank. The
 * null distribution is counted over all signs, so it is exact for any number of values. Undefined without
 * differences.
 */
export function signedRank(differences: readonly number[]): SignedRank | undefined {
  const values = differences.filter((value) => value !== 0);
  if (values.length === 0) return undefined;
  const ranks = doubledRanks(values.map(Math.abs));
  const all = ranks.reduce((sum, rank) => sum + rank, 0);
  const positive = ranks.reduce((sum, rank, i) => sum + ((values[i] ?? 0) > 0 ? rank : 0), 0);
  // chance[s]: probability that the positive ranks, doubled, sum to s.
  let chance = new Float64Array(all + 1);
  chance[0] = 1;
  for (const rank of ranks) {
    const next = new Float64Array(all + 1);
    for (let s = 0; s <= all; s += 1) {
      next[s] = ((chance[s] ?? 0) + (s >= rank ? (chance[s - rank] ?? 0) : 0)) / 2;
    }
    chance = next;
  }
  const smaller = Math.min(positive, all - positive);
  let tail = 0;
  for (let s = 0; s <= smaller; s += 1) tail += chance[s] ?? 0;
  return { p: Math.min(1, 2 * tail), rankBiserial: (2 * positive - all) / all };
}

/** Twice the rank of each value, ties at their mean: integers. */
function doubledRanks(values: readonly number[]): number[] {
  const scale = Math.max(...values);
  // Differences that only rounding separates are ties.
  const same = (a: number, b: number): boolean => Math.abs(a - b) <= scale * 1e-12;
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = values.map(() => 0);
  for (let first = 0; first < order.length;) {
    let last = first;
    const value = values[order[first] ?? 0] ?? 0;
    while (last + 1 < order.length && same(values[order[last + 1] ?? 0] ?? NaN, value)) last += 1;
    for (let k = first; k <= last; k += 1) ranks[order[k] ?? 0] = first + 1 + last + 1;
    first = last + 1;
  }
  return ranks;
}

/** Holm's correction (1979) for several tests at once; null stays null and does not count. */
export function holm(ps: readonly (number | null)[]): (number | null)[] {
  const order = ps
    .map((p, i) => ({ p, i }))
    .filter((one): one is { p: number; i: number } => one.p !== null)
    .sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = ps.map(() => null);
  let least = 0;
  for (const [k, { p, i }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (order.length - k)));
    adjusted[i] = least;
  }
  return adjusted;
}

/** Confidence interval of the median between order statistics, exact for any distribution; undefined below 6 values. */
export function medianInterval(
  values: readonly number[],
): { low: number; high: number; confidence: number } | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  let below = 0.5 ** count;
  let tail = 0;
  let found: { low: number; high: number; confidence: number } | undefined;
  // tail: probability that fewer than k + 1 of `count` values lie below the median.
  for (let k = 0; k < count / 2; k += 1) {
    tail += below;
    below *= (count - k) / (k + 1);
    if (1 - 2 * tail < 0.95) break;
    const low = sorted[k] ?? NaN;
    found = { low, high: sorted[count - 1 - k] ?? low, confidence: 1 - 2 * tail };
  }
  return found;
}
