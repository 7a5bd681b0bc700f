/**
 * The measurements of section IV of "Quantifying Multimedia Streaming Quality: A Practical Analysis using PIE
 * and Flow Queue PIE" (Figs. 2 to 13), from runs of the scenarios `pie-<n>ms` and `fq-pie-<n>ms`, beside the
 * paper's statements.
 */
import type { Results } from '../../report';
import { claimsOf } from './claims';
import { backgroundOf, figuresOf } from './figures';
import type { AqmReport, DelaySeries } from './types';

export const AQM_TARGETS_MS = [5, 10, 15] as const;

/** Data beyond the results. */
export interface AqmExtras {
  /** Queue delay over time; see `delaySeries`. */
  delays?: readonly DelaySeries[];
  /** Playing time of a trial. */
  trialMs?: number;
}

/** Tables of all figures, and the paper's statements beside the measured values. */
export function aqmReport(
  results: Results,
  { delays = [], trialMs }: AqmExtras = {},
  targetsMs: readonly number[] = AQM_TARGETS_MS,
): AqmReport {
  const figures = figuresOf(results, targetsMs);
  const runs = results.scenarios.flatMap((one) => one.runs);
  const sum = (pick: (counts: { planned: number; ok: number }) => number): number =>
    results.scenarios.reduce((total, { counts }) => total + pick(counts), 0);
  return {
    origin: {
      generator: results.generator,
      startedAt: [...new Set(runs.map(({ startedAt }) => startedAt))].sort(),
      machine: runs[0]?.machine ?? {},
      counts: { planned: sum(({ planned }) => planned), ok: sum(({ ok }) => ok) },
      trialMs: trialMs ?? null,
      warnings: [...results.warnings],
    },
    figures,
    claims: claimsOf(figures, delays),
    background: backgroundOf(results, targetsMs),
    delays: [...delays],
  };
}
