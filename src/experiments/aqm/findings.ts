/**
 * The measurements of section IV of "Quantifying Multimedia Streaming Quality: A Practical Analysis using PIE
 * and Flow Queue PIE" (Figs. 2 to 13), from runs of the scenarios `pie-<n>ms` and `fq-pie-<n>ms`, beside the
 * paper's statements.
 */
import type { Results } from '../../report';
import { ratioOf } from './cells';
import { claimsOf } from './claims';
import { backgroundOf, figuresOf } from './figures';
import type { AqmFindings, DelaySeries } from './types';

/** Target delays of the paper's scenarios. */
export const AQM_TARGETS_MS = [5, 10, 15] as const;

/** Values of all figures, and the paper's statements beside them. @param delays see `delaySeries` */
export function aqmFindings(
  results: Results,
  delays: readonly DelaySeries[] = [],
  targetsMs: readonly number[] = AQM_TARGETS_MS,
): AqmFindings {
  const figures = figuresOf(results, targetsMs);
  return {
    figures,
    claims: claimsOf(figures, delays, (metric) => ratioOf(results, metric, targetsMs)),
    background: backgroundOf(results, targetsMs),
    delays: [...delays],
  };
}
