import { fastest } from './fastest';
import { eligible, type Scheduler, type SubflowState } from './scheduler';

/**
 * What the sticky schedulers share (paper `sticky-path-switching`, section V): begin on the shortest round trip and
 * stay until that subflow's window is full; then take the shortest one with room, and move there for good when
 * the rule says so. Without a move only this packet goes there.
 */
export abstract class Sticky implements Scheduler {
  abstract readonly name: string;
  /** Moves for good so far. */
  switches = 0;
  #home = -1;

  pick(subflows: readonly SubflowState[]): SubflowState | undefined {
    const all = eligible(subflows);
    const home = all.find(({ index }) => index === this.#home);
    if (home === undefined) return this.#begin(all);
    if (home.room > 0) return home;
    const other = fastest(all.filter(({ room }) => room > 0));
    if (other !== undefined && this.commits(home, other)) {
      this.#home = other.index;
      this.switches += 1;
    }
    return other;
  }

  /** Whether to stay on `other` from now on. */
  protected abstract commits(home: SubflowState, other: SubflowState): boolean;

  #begin(all: readonly SubflowState[]): SubflowState | undefined {
    const first = fastest(all.filter(({ room }) => room > 0));
    if (first !== undefined) this.#home = first.index;
    return first;
  }
}

/** Segments a second that go into a path: the paper's lambda. */
export function injectionRate({ cwnd, srttNs }: SubflowState): number {
  return srttNs > 0 ? (cwnd * 1e9) / srttNs : 0;
}
