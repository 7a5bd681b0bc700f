import type { JitterSpec } from '../../scenario';
import { naturalLog } from '../../core';
import { cosineOfTurns } from '../engine/exact-math';
import type { SplitMix64 } from '../engine/split-mix';

/** Varies the propagation delay per packet, by seed. */
export class Jitter {
  spec: JitterSpec | undefined;
  readonly #random: SplitMix64;

  constructor(random: SplitMix64, spec: JitterSpec | undefined) {
    this.#random = random;
    this.spec = spec;
  }

  /** Delay of the next packet in whole nanoseconds: `baseNs` plus a random part, never below 0. */
  delayNs(baseNs: number): number {
    if (this.spec === undefined || this.spec.spreadMs === 0) return baseNs;
    const deviation =
      this.spec.shape === 'normal' ? this.#standardNormal() : 2 * this.#random.uniform() - 1;
    return Math.max(0, Math.floor(baseNs + deviation * this.spec.spreadMs * 1e6));
  }

  /** Box-Muller transform; two draws per packet keep packets and draws aligned. */
  #standardNormal(): number {
    const radius = Math.sqrt(-2 * naturalLog(1 - this.#random.uniform()));
    return radius * cosineOfTurns(this.#random.uniform());
  }
}
