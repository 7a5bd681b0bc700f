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

/** The controls of one end's subflows, for state that only they have. */
export class Families<Control> {
  readonly #families = new WeakMap<readonly SubflowView[], Control[]>();

  /** Adds the control of the group's next subflow. @returns the controls of all subflows of the group */
  join(group: readonly SubflowView[], control: Control): readonly Control[] {
    const family = this.#families.get(group) ?? [];
    this.#families.set(group, family);
    family.push(control);
    return family;
  }
}

/** Segments per second of all together. */
export function totalRate(all: readonly Sibling[]): number {
  return all.reduce((sum, { cwnd, seconds }) => sum + cwnd / seconds, 0);
}
