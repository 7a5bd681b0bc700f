import type { AckSample, SubflowView } from './congestion-control';
import { siblings, totalRate } from './siblings';
import { Vegas } from './vegas';

/** Segments that all subflows together keep in queues, and the least that one of them does. */
const TOTAL_ALPHA = 10;
const LEAST_ALPHA = 2;
const GAMMA = 1;

/**
 * wVegas (Cao, Xu, Fu: ICNP 2012): Vegas on each subflow with a share of one budget of queued segments, in proportion
 * to its rate, so that traffic moves to the less congested path; and a back-off that lets queues drain.
 */
export class WVegas extends Vegas {
  override readonly name = 'wvegas';
  readonly #group: readonly SubflowView[];
  /** Shortest time in queues since the last back-off. */
  #queueNs = Infinity;

  constructor(group: readonly SubflowView[]) {
    super();
    this.#group = group;
  }

  protected override onRound(leastNs: number, { minRttNs, windowLimited }: AckSample): void {
    const queued = this.queued(leastNs, minRttNs);
    if (this.cwnd < this.ssthresh) {
      if (queued > GAMMA) this.endSlowStart(minRttNs / leastNs);
      return;
    }
    const total = totalRate(siblings(this.#group));
    const weight = total > 0 ? this.cwnd / (leastNs / 1e9) / total : 1;
    const alpha = Math.max(LEAST_ALPHA, weight * TOTAL_ALPHA);
    if (queued > alpha) this.cwnd = Math.max(2, this.cwnd - 1);
    else if (queued < alpha && windowLimited) this.cwnd += 1;
    const queueNs = leastNs - minRttNs;
    this.#queueNs = Math.min(this.#queueNs, queueNs);
    // Twice the shortest time in queues is a link that others fill: let it drain.
    if (this.#queueNs > 0 && queueNs >= 2 * this.#queueNs) {
      this.cwnd = Math.max(2, (this.cwnd * minRttNs) / leastNs);
      this.#queueNs = Infinity;
    }
  }
}
