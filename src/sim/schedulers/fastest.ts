import type { SenderSubflow } from './scheduler';

/** The shortest round trip; the first of equal ones. */
export function fastest(subflows: readonly SenderSubflow[]): SenderSubflow | undefined {
  let best: SenderSubflow | undefined;
  for (const subflow of subflows) {
    if (best === undefined || subflow.srttNs < best.srttNs) best = subflow;
  }
  return best;
}
