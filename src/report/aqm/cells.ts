import { meanInterval } from '../../core';
import type { Results } from '../results/types';
import type { AqmCell, AqmRatio, AqmRow } from './types';

export type Discipline = 'pie' | 'fq-pie';

/** Name of the scenario of a discipline and target. */
export const scenarioName = (discipline: Discipline, targetMs: number): string =>
  `${discipline}-${String(targetMs)}ms`;

/** Values of the trials that count, by number of the trial. */
function valuesOf(
  results: Results,
  discipline: Discipline,
  targetMs: number,
  metric: string,
): Map<number, number> {
  const name = scenarioName(discipline, targetMs);
  const trials = results.scenarios.find((one) => one.scenario === name)?.trials ?? [];
  return new Map(
    trials.flatMap(({ status, trial, metrics }): [number, number][] => {
      const value = metrics[metric];
      return status === 'ok' && typeof value === 'number' ? [[trial, value]] : [];
    }),
  );
}

function cellOf(values: readonly number[]): AqmCell {
  const found = meanInterval(values);
  const half = found?.halfWidth95;
  const edge = (sign: number): number | null =>
    found === undefined || half === undefined ? null : found.mean + sign * half;
  return {
    count: values.length,
    mean: found?.mean ?? null,
    low: edge(-1),
    high: edge(1),
    values: [...values],
  };
}

/** A metric at each target; values are divided by `divisor`. */
export function rowsOf(
  results: Results,
  metric: string,
  divisor: number,
  targetsMs: readonly number[],
): AqmRow[] {
  const cell = (discipline: Discipline, targetMs: number): AqmCell =>
    cellOf(
      [...valuesOf(results, discipline, targetMs, metric).values()].map((one) => one / divisor),
    );
  return targetsMs.map((targetMs) => ({
    targetMs,
    pie: cell('pie', targetMs),
    fqPie: cell('fq-pie', targetMs),
  }));
}

/**
 * FQ-PIE against PIE over all pairs of trials with the same target and number, so that what a target or a seed does to
 * both does not count as noise. PIE's mean is taken as known. Null without pairs, or where that mean is 0.
 */
export function ratioOf(
  results: Results,
  metric: string,
  targetsMs: readonly number[],
): AqmRatio | null {
  const pairs = targetsMs.flatMap((targetMs) => {
    const fqPie = valuesOf(results, 'fq-pie', targetMs, metric);
    return [...valuesOf(results, 'pie', targetMs, metric)].flatMap(([trial, pie]) => {
      const other = fqPie.get(trial);
      return other === undefined ? [] : [{ pie, difference: other - pie }];
    });
  });
  const base = meanInterval(pairs.map(({ pie }) => pie));
  const change = meanInterval(pairs.map(({ difference }) => difference));
  if (base === undefined || change === undefined || base.mean === 0) return null;
  const half = change.halfWidth95;
  const scaled = (difference: number): number => 1 + difference / base.mean;
  return {
    pairs: pairs.length,
    ratio: scaled(change.mean),
    low: half === undefined ? null : scaled(change.mean - half),
    high: half === undefined ? null : scaled(change.mean + half),
  };
}
