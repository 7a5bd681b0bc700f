import type { JitterSpec } from '../../scenario';
import { cosineOfTurns, naturalLog } from '../engine/exact-math';
import type { SplitMix64 } from '../engine/split-mix';

/** Varies the propagation delay from packet to packet, by seed. */
export class Jitter {
  spec: JitterSpec | undefined;
  readonly #random: SplitMix64;

  constructor(random: SplitMix64, spec: JitterSpec | undefined) {
    this.#random = random;
    this.spec = spec;
  }

  /** The delay of the next packet in whole nanoseconds: `baseNs` more or less, never below 0. */
  delayNs(baseNs: number): number {
    if (this.spec === undefined || this.spec.spreadMs === 0) return baseNs;
    const deviation =
      this.spec.shape === 'normal' ? this.#standardNormal() : 2 * this.#random.uniform() - 1;
    return Math.max(0, Math.floor(baseNs + deviation * this.spec.spreadMs * 1e6));
  }

  /** Box and Muller's transform; two draws a packet, so that packets and draws stay in step. */
  #standardNormal(): number {
    const radius = Math.sqrt(-2 * naturalLog(1 - this.#random.uniform()));
    return radius * cosineOfTurns(this.#random.uniform());
  }
}
