const NS_PER_SECOND = 1e9;
export const NEVER_NS = Infinity;

/**
 * Serialises packets at a rate, exact to the nanosecond and without drift: the remainder of each division is
 * carried into the next packet. At a rate of 0 a packet stands still until the rate changes.
 */
export class RateServer {
  #rateBps: number;
  #carry = 0;
  /** Remaining bits of a standing packet, times 1e9. */
  #stalledWork = 0;

  /** @param rateBps integer; Infinity: no serialisation delay */
  constructor(rateBps: number) {
    this.#rateBps = rateBps;
  }

  get rateBps(): number {
    return this.#rateBps;
  }

  /** End of serialisation of a packet started at `startNs`. */
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
   * Changes the rate. Returns the new end time of the packet in service that would have ended at `finishNs`:
   * its remaining bits use the new rate.
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

  /** Discards a standing packet. */
  abandon(): void {
    this.#stalledWork = 0;
  }
}
