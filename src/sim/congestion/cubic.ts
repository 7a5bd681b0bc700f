import { cube, cubeRoot } from '../engine/exact-math';
import type { AckSample } from './congestion-control';
import { WindowControl } from './window-control';

/** RFC 9438, section 4.6 and 5. */
const BETA = 0.7;
const C = 0.4;
/** Section 4.3: the increase that makes Reno with BETA as fast as standard Reno. */
const ALPHA = (3 * (1 - BETA)) / (1 + BETA);

/**
 * HyStart (Ha and Rhee 2011) with Linux's values: samples per round, and the delay increase that ends slow
 * start.
 */
const DELAY_SAMPLES = 8;
/** Window in segments below which HyStart does not end slow start (Linux: hystart_low_window). */
const HYSTART_LOW_WINDOW = 16;
/** Bounds of the delay increase that ends slow start, an eighth of the round trip (HYSTART_DELAY_MIN, _MAX). */
const MIN_THRESHOLD_NS = 4e6;
const MAX_THRESHOLD_NS = 16e6;

/** CUBIC (RFC 9438) with fast convergence, the Reno-friendly region and HyStart's delay rule. */
export class Cubic extends WindowControl {
  override readonly name = 'cubic';
  #maxWindow = 0;
  #epochStartNs = -1;
  #originWindow = 0;
  #kSeconds = 0;
  #renoWindow = 0;
  #roundEnd = 0;
  #roundMinNs = Infinity;
  #roundSamples = 0;

  protected override avoid(delivered: number, sample: AckSample): void {
    const { nowNs, srttNs } = sample;
    if (this.#epochStartNs < 0) {
      this.#epochStartNs = nowNs;
      this.#renoWindow = this.cwnd;
      this.#originWindow = Math.max(this.cwnd, this.#maxWindow);
      this.#kSeconds = cubeRoot((this.#originWindow - this.cwnd) / C);
    }
    const at = (seconds: number): number => C * cube(seconds - this.#kSeconds) + this.#originWindow;
    const seconds = (nowNs - this.#epochStartNs) / 1e9;
    // The curve's value one round trip from now, at most 1.5 times the window (section 4.2).
    const target = Math.min(Math.max(at(seconds + srttNs / 1e9), this.cwnd), 1.5 * this.cwnd);
    // Section 4.3: never slower than Reno.
    const alpha = this.#renoWindow >= this.#maxWindow ? 1 : ALPHA;
    this.#renoWindow += (alpha * delivered) / this.cwnd;
    if (at(seconds) < this.#renoWindow) {
      this.cwnd = Math.max(this.cwnd, this.#renoWindow);
    } else {
      this.cwnd += ((target - this.cwnd) / this.cwnd) * delivered;
    }
  }

  protected override reduced(): number {
    // Section 4.7, fast convergence: leave room for new flows.
    this.#maxWindow = this.cwnd < this.#maxWindow ? (this.cwnd * (1 + BETA)) / 2 : this.cwnd;
    this.#epochStartNs = -1;
    return this.cwnd * BETA;
  }

  /** Linux (cubictcp_state): a time-out forgets the curve. */
  override collapse(): void {
    super.collapse();
    this.#maxWindow = 0;
    this.#epochStartNs = -1;
    this.#roundSamples = 0;
  }

  override onIdle(nowNs: number, timeouts: number): void {
    super.onIdle(nowNs, timeouts);
    this.#epochStartNs = -1;
  }

  /** Ends slow start when the round trips of this round clearly exceed the minimum. */
  protected override onSlowStart({
    totalDelivered,
    priorDelivered,
    rttNs,
    minRttNs,
  }: AckSample): void {
    if (priorDelivered >= this.#roundEnd) {
      this.#roundEnd = totalDelivered;
      this.#roundMinNs = Infinity;
      this.#roundSamples = 0;
    }
    if (rttNs === undefined || this.cwnd < HYSTART_LOW_WINDOW) return;
    this.#roundMinNs = Math.min(this.#roundMinNs, rttNs);
    this.#roundSamples += 1;
    if (this.#roundSamples < DELAY_SAMPLES) return;
    const threshold = Math.min(Math.max(minRttNs / 8, MIN_THRESHOLD_NS), MAX_THRESHOLD_NS);
    if (this.#roundMinNs > minRttNs + threshold) this.ssthresh = this.cwnd;
  }
}
