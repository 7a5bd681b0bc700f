import { mean } from '../../core';
import { estimate, type Estimate, type Results } from '../../report';
import { meansBySeed } from '../estimate';
import type { AqmRatio, AqmRow } from './types';

export type Discipline = 'pie' | 'fq-pie';

/** Name of the scenario of a discipline and target. */
export const scenarioName = (discipline: Discipline, targetMs: number): string =>
  `${discipline}-${targetMs}ms`;

/** Values of the valid trials, by trial number. */
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

/** A metric at each target; values are divided by `divisor`. */
export function rowsOf(
  results: Results,
  metric: string,
  divisor: number,
  targetsMs: readonly number[],
): AqmRow[] {
  const cell = (discipline: Discipline, targetMs: number): Estimate =>
    estimate(
      [...valuesOf(results, discipline, targetMs, metric).values()].map((one) => one / divisor),
    );
  return targetsMs.map((targetMs) => ({
    targetMs,
    pie: cell('pie', targetMs),
    fqPie: cell('fq-pie', targetMs),
  }));
}

/**
 * FQ-PIE against PIE by trial: the mean over the targets that both have played with its seed. The targets are chosen and the
 * trials are drawn, so only these vary by chance. PIE's mean is taken as exact. Null without trials, or if that mean is 0.
 */
export function ratioOf(
  results: Results,
  metric: string,
  targetsMs: readonly number[],
): AqmRatio | null {
  const pairs = targetsMs.flatMap((targetMs) => {
    const fqPie = valuesOf(results, 'fq-pie', targetMs, metric);
    return [...valuesOf(results, 'pie', targetMs, metric)].flatMap(([seed, pie]) => {
      const other = fqPie.get(seed);
      return other === undefined ? [] : [{ seed, pie, value: other - pie }];
    });
  });
  const base = mean(pairs.map(({ pie }) => pie));
  const change = estimate(meansBySeed(pairs));
  if (base === undefined || change.mean === null || base === 0) return null;
  const scaled = (difference: number): number => 1 + difference / base;
  return {
    trials: change.count,
    ratio: scaled(change.mean),
    low: change.low === null ? null : scaled(change.low),
    high: change.high === null ? null : scaled(change.high),
  };
}
