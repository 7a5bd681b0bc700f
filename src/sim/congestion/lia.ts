import { square } from '../engine/exact-math';
import type { SubflowView } from './congestion-control';
import { siblings, totalRate } from './siblings';
import { WindowControl } from './window-control';

/**
 * LIA (RFC 6356, section 3): all subflows together grow no faster than one TCP on the best path, and no
 * subflow faster than a TCP of its own.
 */
export class Lia extends WindowControl {
  override readonly name = 'lia';
  readonly #group: readonly SubflowView[];

  constructor(group: readonly SubflowView[]) {
    super();
    this.#group = group;
  }

  protected override avoid(delivered: number): void {
    const all = siblings(this.#group);
    const total = totalRate(all);
    const best = Math.max(...all.map(({ cwnd, seconds }) => cwnd / square(seconds)));
    // alpha / cwnd_total of the RFC, which equals best / total^2.
    const coupled = total > 0 ? best / square(total) : 1 / this.cwnd;
    this.cwnd += delivered * Math.min(coupled, 1 / this.cwnd);
  }

  protected override reduced(): number {
    return this.cwnd / 2;
  }
}
