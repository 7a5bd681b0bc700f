import type { SubflowState } from './scheduler';

/** The shortest round trip; the first of equal ones. */
export function fastest(subflows: readonly SubflowState[]): SubflowState | undefined {
  let best: SubflowState | undefined;
  for (const subflow of subflows) {
    if (best === undefined || subflow.srttNs < best.srttNs) best = subflow;
  }
  return best;
}
