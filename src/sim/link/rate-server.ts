const NS_PER_SECOND = 1e9;
export const NEVER_NS = Infinity;

/**
 * Serialises packets at a rate, to the nanosecond and without drift: what a division leaves over is carried into
 * the next packet. At a rate of 0 a packet stands still until the rate changes.
 */
export class RateServer {
  #rateBps: number;
  #carry = 0;
  /** Bits times 1e9 of a packet that stands still. */
  #stalledWork = 0;

  /** @param rateBps whole number; Infinity: takes no time */
  constructor(rateBps: number) {
    this.#rateBps = rateBps;
  }

  get rateBps(): number {
    return this.#rateBps;
  }

  /** The instant at which a packet started at `startNs` has left entirely. */
  finishNs(sizeBytes: number, startNs: number): number {
    if (this.#rateBps === Infinity) return startNs;
    const bits = sizeBytes * 8 * NS_PER_SECOND;
    if (this.#rateBps === 0) {
      this.#stalledWork = bits;
      return NEVER_NS;
    }
    const work = bits + this.#carry;
    this.#carry = work % this.#rateBps;
    return startNs + Math.floor(work / this.#rateBps);
  }

  /**
   * Changes the rate. Returns the new end of a packet in service that would have ended at `finishNs`: the bits
   * still to be sent are sent at the new rate.
   */
  setRate(rateBps: number, nowNs: number, finishNs: number): number {
    let end = finishNs;
    if (end !== NEVER_NS && end > nowNs) {
      this.#stalledWork = (end - nowNs) * this.#rateBps;
      end = NEVER_NS;
    }
    if (rateBps !== 0 && this.#stalledWork !== 0) {
      end = nowNs + (rateBps === Infinity ? 0 : Math.floor(this.#stalledWork / rateBps));
      this.#stalledWork = 0;
    }
    this.#rateBps = rateBps;
    this.#carry = 0;
    return end;
  }

  /** Forgets a packet that stands still. */
  abandon(): void {
    this.#stalledWork = 0;
  }
}
