import type { DirectionSpec } from '../../scenario';
import type { SplitMix64 } from '../engine/split-mix';

/**
 * Random loss per packet in sending order: independent, or by the two states of Gilbert and Elliott. A
 * packet's fate depends only on the seed, its position and the probabilities.
 */
export class LossModel {
  readonly #random: SplitMix64;
  #good = 0;
  #bad = 1;
  #goodToBad = 0;
  #badToGood = 1;
  #bursts = false;
  #isBad = false;

  constructor(random: SplitMix64, spec: Partial<DirectionSpec>) {
    this.#random = random;
    this.set(spec);
  }

  /** Applies the loss fields of `spec`; absent fields keep their values. */
  set({ lossRatio, burstLoss }: Partial<DirectionSpec>): void {
    if (burstLoss !== undefined) {
      this.#bursts = true;
      this.#good = burstLoss.lossGood ?? 0;
      this.#bad = burstLoss.lossBad ?? 1;
      this.#goodToBad = burstLoss.goodToBad;
      this.#badToGood = burstLoss.badToGood;
    } else if (lossRatio !== undefined) {
      this.#bursts = false;
      this.#good = lossRatio;
    }
  }

  isLost(): boolean {
    if (!this.#bursts) {
      this.#isBad = false;
      if (this.#good === 0) {
        this.#random.skip();
        return false;
      }
      return this.#random.uniform() < this.#good;
    }
    const change = this.#isBad ? this.#badToGood : this.#goodToBad;
    if (this.#random.uniform() < change) this.#isBad = !this.#isBad;
    return this.#random.uniform() < (this.#isBad ? this.#bad : this.#good);
  }
}
