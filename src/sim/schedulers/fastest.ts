import type { SubflowState } from './scheduler';

/** The shortest round trip; of equals the first. */
export function fastest(subflows: readonly SubflowState[]): SubflowState | undefined {
  let best: SubflowState | undefined;
  for (const subflow of subflows) {
    if (best === undefined || subflow.srttNs < best.srttNs) best = subflow;
  }
  return best;
}
