import { square } from '../engine/exact-math';
import type { AckSample, SubflowView } from './congestion-control';
import { RoundCounter } from './round-counter';
import { siblings, totalRate } from './siblings';
import { WindowControl } from './window-control';

/** Samples in the weighted mean; the latest has the largest weight. */
const HISTORY = 10;
/** Equation 2: a round trip above this multiple of the weighted mean is long, and theta falls below 1. */
const LONG_FACTOR = 1.5;

/**
 * Readings of "the last ten RTTs" of equation 2: ten samples, one an acknowledgement, or one a round trip.
 * `none` holds theta at 1, so that only the coupling term remains.
 */
export type MccReading = 'per-ack' | 'per-round' | 'none';

/** Use of the smoothing: acknowledgements and reductions in all, and those with theta below 1. */
interface MccSmoothing {
  acks: number;
  smoothedAcks: number;
  reductions: number;
  smoothedReductions: number;
}

/**
 * The multipath congestion control of MPTCP+ (paper `mptcp-plus`, section III-B, equations 1 and 2). It is
 * OLIA's coupling term. Increase and decrease are smoothed by min w / sum w while the round trip is longer than 1.5
 * times the weighted mean of the last ten.
 */
export class Mcc extends WindowControl {
  override readonly name = 'mcc';
  readonly #group: readonly SubflowView[];
  readonly #history: number[] = [];
  readonly #reading: MccReading;
  readonly #rounds = new RoundCounter();
  readonly smoothing: MccSmoothing = {
    acks: 0,
    smoothedAcks: 0,
    reductions: 0,
    smoothedReductions: 0,
  };
  #seconds = 0;
  #theta = 1;

  constructor(group: readonly SubflowView[], reading: MccReading = 'per-ack') {
    super();
    this.#group = group;
    this.#reading = reading;
  }

  override onAck(sample: AckSample): void {
    this.#seconds = sample.srttNs / 1e9;
    if (sample.rttNs !== undefined && this.#reading !== 'none') {
      this.#observe(sample.rttNs, this.#reading === 'per-ack' || this.#rounds.observe(sample));
    }
    this.smoothing.acks += 1;
    if (this.#theta < 1) this.smoothing.smoothedAcks += 1;
    super.onAck(sample);
  }

  protected override avoid(delivered: number): void {
    const total = totalRate(siblings(this.#group));
    const coupled = total > 0 ? this.cwnd / square(this.#seconds * total) : 1 / this.cwnd;
    this.cwnd += delivered * this.#theta * Math.min(coupled, 1 / this.cwnd);
  }

  protected override reduced(): number {
    this.smoothing.reductions += 1;
    if (this.#theta < 1) this.smoothing.smoothedReductions += 1;
    return this.cwnd - (this.#theta * this.cwnd) / 2;
  }

  #observe(rttNs: number, isKept: boolean): void {
    const weights = this.#history.map((_, index) => index + 1);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    const mean =
      sum > 0
        ? this.#history.reduce((all, sampleNs, i) => all + sampleNs * (i + 1), 0) / sum
        : rttNs;
    this.#theta = rttNs > LONG_FACTOR * mean ? this.#smallestShare() : 1;
    if (!isKept) return;
    this.#history.push(rttNs);
    if (this.#history.length > HISTORY) this.#history.shift();
  }

  #smallestShare(): number {
    const windows = siblings(this.#group).map(({ cwnd }) => cwnd);
    const sum = windows.reduce((all, window) => all + window, 0);
    return windows.length > 1 && sum > 0 ? Math.min(...windows) / sum : 1;
  }
}
