const MS = 1e6;

/**
 * Linux: RTO at least 200 ms, at most 120 s, and 1 s before the first sample (RFC 6298 requires at least 1
 * s).
 */
export const MIN_RTO_NS = 200 * MS;
const MAX_RTO_NS = 120_000 * MS;
const INITIAL_RTO_NS = 1000 * MS;
/** The minimum round trip expires after this time. */
const MIN_WINDOW_NS = 300_000 * MS;

/** Round-trip estimates of one sender (RFC 6298). */
export class RoundTrip {
  /** 0 before the first sample. */
  srttNs = 0;
  minNs = Infinity;
  latestNs = 0;
  #varianceNs = 0;
  #minAtNs = 0;
  #backoff = 0;

  observe(sampleNs: number, nowNs: number): void {
    this.latestNs = sampleNs;
    if (sampleNs <= this.minNs || nowNs - this.#minAtNs > MIN_WINDOW_NS) {
      this.minNs = sampleNs;
      this.#minAtNs = nowNs;
    }
    if (this.srttNs === 0) {
      this.srttNs = sampleNs;
      this.#varianceNs = sampleNs / 2;
    } else {
      this.#varianceNs += (Math.abs(this.srttNs - sampleNs) - this.#varianceNs) / 4;
      this.srttNs += (sampleNs - this.srttNs) / 8;
    }
    this.#backoff = 0;
  }

  /** Mean deviation of the samples (RFC 6298's RTTVAR). */
  get varianceNs(): number {
    return this.#varianceNs;
  }

  /** The current time-out in whole nanoseconds. */
  get rtoNs(): number {
    const base =
      this.srttNs === 0 ? INITIAL_RTO_NS : this.srttNs + Math.max(4 * this.#varianceNs, MIN_RTO_NS);
    return Math.round(Math.min(base * 2 ** this.#backoff, MAX_RTO_NS));
  }

  /** A time-out passed: the next one is twice as long. */
  backOff(): void {
    this.#backoff += 1;
  }

  /** Data was acknowledged: the backoff ends. */
  endBackOff(): void {
    this.#backoff = 0;
  }
}
