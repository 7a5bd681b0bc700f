import type { AckSample } from './congestion-control';
import { RoundCounter } from './round-counter';
import { WindowControl } from './window-control';

/** Minimum number of round-trip samples per round. */
export interface RoundTrips {
  minNs: number;
  meanNs: number;
}

/** Queued segments: lower and upper bound, and the number that ends slow start. */
const ALPHA = 2;
const BETA = 4;
const GAMMA = 1;
/** Least samples of a judged round: with three, at least one has no delayed acknowledgement (Linux: tcp_vegas). */
const MIN_SAMPLES = 3;

/** Vegas (Brakmo and Peterson 1995): keeps a few segments queued, judged once per round trip. */
export class Vegas extends WindowControl {
  override readonly name: string = 'vegas';
  readonly #rounds = new RoundCounter();
  #minNs = Infinity;
  #sumNs = 0;
  #samples = 0;

  override onAck(sample: AckSample): void {
    if (sample.rttNs !== undefined) {
      this.#minNs = Math.min(this.#minNs, sample.rttNs);
      this.#sumNs += sample.rttNs;
      this.#samples += 1;
    }
    if (this.#rounds.observe(sample)) {
      const enough = this.#samples >= MIN_SAMPLES && !sample.inRecovery;
      if (enough) {
        this.onRound({ minNs: this.#minNs, meanNs: this.#sumNs / this.#samples }, sample);
      }
      this.#minNs = Infinity;
      this.#sumNs = 0;
      this.#samples = 0;
      if (enough) return;
    }
    super.onAck(sample);
  }

  /** Once per round trip. */
  protected onRound({ minNs }: RoundTrips, { minRttNs, windowLimited }: AckSample): void {
    const queued = this.queued(minNs, minRttNs);
    if (this.cwnd < this.ssthresh) {
      if (queued > GAMMA) this.endSlowStart(minRttNs / minNs);
    } else if (queued < ALPHA) {
      if (windowLimited) this.cwnd += 1;
    } else if (queued > BETA) {
      this.cwnd = Math.max(2, this.cwnd - 1);
    }
  }

  /** Segments of the window that are queued. */
  protected queued(rttNs: number, baseNs: number): number {
    return (this.cwnd * (rttNs - baseNs)) / rttNs;
  }

  protected endSlowStart(share: number): void {
    this.cwnd = Math.max(2, Math.min(this.cwnd, this.cwnd * share + 1));
    this.ssthresh = Math.min(this.ssthresh, this.cwnd);
  }

  protected override avoid(): void {
    // Only once per round trip.
  }

  protected override reduced(): number {
    return this.cwnd / 2;
  }
}
