import { threeQuarterPower } from '../engine/exact-math';
import type { AckSample } from './congestion-control';
import { RoundCounter } from './round-counter';
import { WindowControl } from './window-control';

/** Tan, Song, Zhang, Sridharan: INFOCOM 2006, section III. */
const ALPHA = 0.125;
const BETA = 0.5;
const ZETA = 1;
/** Number of queued segments at which the delay window shrinks. */
const GAMMA = 30;

/** Compound TCP: Reno's window plus one that grows with the free capacity and shrinks as queues build up. */
export class Compound extends WindowControl {
  override readonly name = 'compound';
  readonly #rounds = new RoundCounter();
  #delayWindow = 0;
  #minNs = Infinity;

  override onAck(sample: AckSample): void {
    if (sample.rttNs !== undefined) this.#minNs = Math.min(this.#minNs, sample.rttNs);
    if (this.#rounds.observe(sample)) {
      const grown = this.cwnd >= this.ssthresh && !sample.inRecovery && sample.windowLimited;
      if (grown && Number.isFinite(this.#minNs)) this.#onRound(sample.minRttNs);
      this.#minNs = Infinity;
    }
    super.onAck(sample);
  }

  protected override avoid(delivered: number): void {
    this.cwnd += delivered / this.cwnd;
  }

  protected override reduced(): number {
    const lossWindow = this.cwnd - this.#delayWindow;
    const reduced = this.cwnd * (1 - BETA);
    this.#delayWindow = Math.max(reduced - lossWindow / 2, 0);
    return reduced;
  }

  override collapse(): void {
    super.collapse();
    this.#delayWindow = 0;
  }

  #onRound(minRttNs: number): void {
    const queued = (this.cwnd * (this.#minNs - minRttNs)) / this.#minNs;
    const before = this.#delayWindow;
    this.#delayWindow =
      queued < GAMMA
        ? before + Math.max(ALPHA * threeQuarterPower(this.cwnd) - 1, 0)
        : Math.max(before - ZETA * queued, 0);
    this.cwnd = Math.max(2, this.cwnd + this.#delayWindow - before);
  }
}
