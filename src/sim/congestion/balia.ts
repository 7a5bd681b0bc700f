import { square } from '../engine/exact-math';
import type { AckSample, SubflowView } from './congestion-control';
import { siblings, totalRate } from './siblings';
import { WindowControl } from './window-control';

/** BALIA (Peng, Walid, Hwang, Low: IEEE/ACM ToN 2016, section V): balances friendliness and responsiveness. */
export class Balia extends WindowControl {
  override readonly name = 'balia';
  readonly #group: readonly SubflowView[];
  #seconds = 0;

  constructor(group: readonly SubflowView[]) {
    super();
    this.#group = group;
  }

  protected override avoid(delivered: number, { srttNs }: AckSample): void {
    this.#seconds = srttNs / 1e9;
    const all = siblings(this.#group);
    const rate = this.cwnd / this.#seconds;
    const alpha = Math.max(1, this.#alpha());
    const share = rate / this.#seconds / square(totalRate(all));
    const grow = share * ((1 + alpha) / 2) * ((4 + alpha) / 5);
    this.cwnd += delivered * Math.min(grow, 1);
  }

  protected override reduced(): number {
    return this.cwnd - (this.cwnd / 2) * Math.min(Math.max(1, this.#alpha()), 1.5);
  }

  /** Ratio of the fastest sibling's rate to this one's. */
  #alpha(): number {
    if (this.#seconds === 0) return 1;
    const rate = this.cwnd / this.#seconds;
    const rates = siblings(this.#group).map(({ cwnd, seconds }) => cwnd / seconds);
    return Math.max(rate, ...rates) / rate;
  }
}
