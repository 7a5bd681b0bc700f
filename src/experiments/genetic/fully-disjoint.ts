import { mean } from '../../core';
import { geneticSelectionConfig } from './genetic-selection';
import { takeInTurn } from './partially-disjoint';
import type { Choice, PathView } from './selection';
import { areDisjoint } from './switch-paths';

/**
 * Longest one-way delay of a path: section IV-A-1 has an upper bound without a value. This one is the genetic
 * search's own.
 */
const MAX_DELAY_MS = geneticSelectionConfig.maxDelayMs;

/**
 * Fully disjoint, bandwidth (section IV-A-1, after Gao et al.): excludes paths with more than the average
 * delay, then repeatedly takes the one with the most available bandwidth; no link twice.
 */
export function widestDisjointPaths(choice: Choice): number[] {
  const averageMs = mean(choice.paths.map(({ delayMs }) => delayMs)) ?? 0;
  return within(choice, averageMs, (near) =>
    takeInTurn(
      near,
      (one, other) => other.availableBps - one.availableBps,
      () => false,
    ),
  );
}

/**
 * Fully disjoint, delay (section IV-A-1, after Alvizu et al.): the largest number of paths without a common
 * link. Among these, the least sum of delay differences, then the shorter ones. Paths that are too long
 * are excluded.
 */
export function likestDisjointPaths(choice: Choice): number[] {
  return within(choice, MAX_DELAY_MS, likest);
}

/** Restricts the paths to a maximum delay, unless none qualifies. */
function within(
  choice: Choice,
  maxDelayMs: number,
  select: (choice: Choice) => number[],
): number[] {
  const kept = [...choice.paths.entries()].filter(([, { delayMs }]) => delayMs <= maxDelayMs);
  if (kept.length === 0) return select(choice);
  const chosen = select({ ...choice, paths: kept.map(([, path]) => path) });
  return chosen.flatMap((at) => kept[at]?.[0] ?? []);
}

interface Found {
  at: number[];
  differenceMs: number;
  sumMs: number;
}

function likest({ paths, subflows }: Choice): number[] {
  const byDelay = [...paths.entries()].sort(([, a], [, b]) => a.delayMs - b.delayMs);
  let best: Found | undefined;
  const search = (from: number, chosen: readonly [number, PathView][]): void => {
    const now = found(chosen);
    if (chosen.length > 0 && (best === undefined || isBetter(now, best))) best = now;
    if (chosen.length === subflows) return;
    for (let index = from; index < byDelay.length; index += 1) {
      const next = byDelay[index];
      if (next === undefined) break;
      // Sorted by delay: from here on the delays differ too much.
      const apartMs = next[1].delayMs - (chosen[0]?.[1].delayMs ?? next[1].delayMs);
      if (best?.at.length === subflows && apartMs * (subflows - 1) > best.differenceMs) break;
      if (chosen.every(([, path]) => areDisjoint(path, next[1])))
        search(index + 1, [...chosen, next]);
    }
  };
  search(0, []);
  return best?.at ?? [0];
}

function found(chosen: readonly [number, PathView][]): Found {
  const delays = chosen.map(([, { delayMs }]) => delayMs);
  let differenceMs = 0;
  for (const [i, one] of delays.entries()) {
    for (const other of delays.slice(i + 1)) differenceMs += Math.abs(one - other);
  }
  return { at: chosen.map(([at]) => at), differenceMs, sumMs: delays.reduce((a, b) => a + b, 0) };
}

function isBetter(one: Found, other: Found): boolean {
  if (one.at.length !== other.at.length) return one.at.length > other.at.length;
  if (one.differenceMs !== other.differenceMs) return one.differenceMs < other.differenceMs;
  return one.sumMs < other.sumMs;
}
