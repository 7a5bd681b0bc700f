import type { OutageSpec } from '../../scenario';
import { NEVER_NS } from './rate-server';

const MS = 1e6;

/** Intervals in which a direction loses everything, relative to a start time. */
export class Outages {
  readonly #spec: OutageSpec;
  readonly #startNs: number;
  readonly #periodNs: number;

  constructor(spec: OutageSpec, startNs: number) {
    this.#spec = spec;
    this.#startNs = startNs;
    this.#periodNs = Math.round((spec.periodMs ?? 0) * MS);
  }

  isOut(nowNs: number): boolean {
    const phaseNs = this.#phaseNs(nowNs);
    return this.#spec.outages.some(({ atMs, durationMs }) => {
      const atNs = Math.round(atMs * MS);
      return phaseNs >= atNs && phaseNs < atNs + Math.round(durationMs * MS);
    });
  }

  /** The first instant after `nowNs` at which `isOut` may change. */
  nextChangeNs(nowNs: number): number {
    const phaseNs = this.#phaseNs(nowNs);
    const roundNs = nowNs - phaseNs;
    for (const { atMs, durationMs } of this.#spec.outages) {
      const atNs = Math.round(atMs * MS);
      const endNs = atNs + Math.round(durationMs * MS);
      if (phaseNs < atNs) return roundNs + atNs;
      if (phaseNs < endNs) return roundNs + endNs;
    }
    return this.#periodNs === 0 ? NEVER_NS : roundNs + this.#periodNs;
  }

  #phaseNs(nowNs: number): number {
    const sinceNs = nowNs - this.#startNs;
    return this.#periodNs === 0 ? sinceNs : sinceNs % this.#periodNs;
  }
}
