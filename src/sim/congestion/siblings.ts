import type { SubflowView } from './congestion-control';

/** Windows and round trips of the subflows that take part in coupling, this one's own included. */
export interface Sibling {
  /** Segments. */
  cwnd: number;
  seconds: number;
}

/** Those that are established and have been measured. @param group all subflows of one end */
export function siblings(group: readonly SubflowView[]): Sibling[] {
  return group
    .filter(({ isEstablished, srttNs }) => isEstablished && srttNs > 0)
    .map(({ cwnd, srttNs }) => ({ cwnd, seconds: srttNs / 1e9 }));
}

/** Segments a second of all together. */
export function totalRate(all: readonly Sibling[]): number {
  return all.reduce((sum, { cwnd, seconds }) => sum + cwnd / seconds, 0);
}
