import type { SubflowView } from './congestion-control';

/** Windows and round trips of the coupled subflows, including this one. */
export interface Sibling {
  /** Segments. */
  cwnd: number;
  seconds: number;
}

/**
 * Established subflows with a round-trip sample.
 * @param group all subflows of one end
 */
export function siblings(group: readonly SubflowView[]): Sibling[] {
  return group
    .filter(({ isEstablished, srttNs }) => isEstablished && srttNs > 0)
    .map(({ cwnd, srttNs }) => ({ cwnd, seconds: srttNs / 1e9 }));
}

/** Segments per second of all together. */
export function totalRate(all: readonly Sibling[]): number {
  return all.reduce((sum, { cwnd, seconds }) => sum + cwnd / seconds, 0);
}
