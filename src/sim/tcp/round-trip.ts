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
  #deviationNs = 0;
  /** The time-out is the smoothed round trip plus this. */
  #marginNs = 0;
  /** Four times the largest deviation of this round. */
  #roundMarginNs = 0;
  /** The round ends when this is acknowledged. */
  #roundEndSeq = 0;
  #minAtNs = 0;
  #backoff = 0;

  /**
   * @param unaSeq first byte that is not acknowledged
   * @param nextSeq next byte to be sent
   */
  observe(sampleNs: number, nowNs: number, unaSeq: number, nextSeq: number): void {
    this.latestNs = sampleNs;
    if (sampleNs <= this.minNs || nowNs - this.#minAtNs > MIN_WINDOW_NS) {
      this.minNs = sampleNs;
      this.#minAtNs = nowNs;
    }
    if (this.srttNs === 0) {
      this.srttNs = sampleNs;
      this.#deviationNs = sampleNs / 2;
      this.#marginNs = Math.max(4 * this.#deviationNs, MIN_RTO_NS);
      this.#roundMarginNs = this.#marginNs;
      this.#roundEndSeq = nextSeq;
    } else {
      this.#deviate(sampleNs - this.srttNs, unaSeq, nextSeq);
      this.srttNs += (sampleNs - this.srttNs) / 8;
    }
    this.#backoff = 0;
  }

  /**
   * Linux (tcp_rtt_estimator): a shorter round trip than expected counts an eighth of what a longer one does. The margin grows at
   * once, and falls by a quarter of the difference once a round trip.
   */
  #deviate(errorNs: number, unaSeq: number, nextSeq: number): void {
    const changeNs = Math.abs(errorNs) - this.#deviationNs;
    this.#deviationNs += changeNs / (errorNs < 0 && changeNs > 0 ? 32 : 4);
    if (4 * this.#deviationNs > this.#roundMarginNs) {
      this.#roundMarginNs = 4 * this.#deviationNs;
      this.#marginNs = Math.max(this.#marginNs, this.#roundMarginNs);
    }
    if (unaSeq <= this.#roundEndSeq) return;
    if (this.#roundMarginNs < this.#marginNs) {
      this.#marginNs -= (this.#marginNs - this.#roundMarginNs) / 4;
    }
    this.#roundEndSeq = nextSeq;
    this.#roundMarginNs = MIN_RTO_NS;
  }

  /** Mean deviation of the samples. */
  get varianceNs(): number {
    return this.#deviationNs;
  }

  /** The current time-out in whole nanoseconds. */
  get rtoNs(): number {
    const base = this.srttNs === 0 ? INITIAL_RTO_NS : this.srttNs + this.#marginNs;
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
