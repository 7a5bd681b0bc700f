import { fastest } from './fastest';
import { eligible, type Scheduler, type SenderSubflow } from './scheduler';

/**
 * Base of the sticky schedulers (paper `sticky-path-switching`, section V): they begin on the shortest round
 * trip and stay until that subflow's window is full. Then they take the shortest one with space. They move there
 * permanently if the rule of the subclass permits it. Otherwise only this packet goes there.
 */
abstract class Sticky implements Scheduler {
  abstract readonly name: string;
  /** Permanent moves so far. */
  switches = 0;
  #home = -1;

  pick(subflows: readonly SenderSubflow[]): SenderSubflow | undefined {
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

  /** Decides whether to move to `other` permanently. */
  protected abstract commits(home: SenderSubflow, other: SenderSubflow): boolean;

  #begin(all: readonly SenderSubflow[]): SenderSubflow | undefined {
    const first = fastest(all.filter(({ room }) => room > 0));
    if (first !== undefined) this.#home = first.index;
    return first;
  }
}

/** Segments per second sent into a path: the paper's lambda. */
function injectionRate({ cwnd, srttNs }: SenderSubflow): number {
  return srttNs > 0 ? (cwnd * 1e9) / srttNs : 0;
}

/** GR-STY: greedy, stays on any path it had to move to. */
export class GrSty extends Sticky {
  override readonly name = 'gr-sty';

  protected override commits(): boolean {
    return true;
  }
}

/** TP-STY: stays on the new path only if its injection rate is higher. */
export class TpSty extends Sticky {
  override readonly name: string = 'tp-sty';

  protected override commits(home: SenderSubflow, other: SenderSubflow): boolean {
    return injectionRate(home) < injectionRate(other);
  }
}

/**
 * TR-STY: TP-STY's condition, and the new path has the shorter round trip, as the player has it. The paper
 * prints the condition the other way round, against its own analysis one paragraph earlier: underflow is
 * likely on switches to the longer round trip. {@link TrStyPrinted} is the printed one.
 */
export class TrSty extends TpSty {
  override readonly name = 'tr-sty';

  protected override commits(home: SenderSubflow, other: SenderSubflow): boolean {
    return super.commits(home, other) && other.srttNs < home.srttNs;
  }
}

/** TR-STY as printed: TP-STY's condition, and the old path has the shorter round trip. */
export class TrStyPrinted extends TpSty {
  override readonly name = 'tr-sty-printed';

  protected override commits(home: SenderSubflow, other: SenderSubflow): boolean {
    return super.commits(home, other) && home.srttNs < other.srttNs;
  }
}
