import type { AckSample, SubflowView } from './congestion-control';
import { Families, siblings, totalRate } from './siblings';
import { Vegas, type RoundTrips } from './vegas';

/** Segments that all subflows together keep queued, and the minimum of one subflow. */
const TOTAL_ALPHA = 10;
const MIN_ALPHA = 2;
/** Number of queued segments that ends slow start. */
const GAMMA = 1;

/**
 * Rates whose shares are the weights. `current`: window over round trip of every subflow now. `instant-rate`: each
 * subflow's rate of when it last had its share queued, none after a loss, as in MPTCP 0.95
 * (multipath-tcp/mptcp, net/mptcp/mptcp_wvegas.c, `instant_rate`).
 */
export type WVegasWeights = 'current' | 'instant-rate';

/** State per subflow that only wVegas needs. */
const families = new Families<WVegas>();

/**
 * wVegas (Cao, Xu, Fu: ICNP 2012; draft-xu-mptcp-congestion-control): Vegas on each subflow with a share of one
 * budget of queued segments, in proportion to its rate. So traffic moves to the less congested path. A back-off
 * drains queues. It judges by the mean round trip of each round, as the Linux version does (MPTCP
 * 0.95). If nothing else varies the round trips, the bursts after a back-off trigger the next one, and much
 * of the link stays unused.
 */
export class WVegas extends Vegas {
  override readonly name = 'wvegas';
  readonly #group: readonly SubflowView[];
  readonly #family: readonly WVegas[];
  readonly #index: number;
  readonly #weights: WVegasWeights;
  /** Segments per second when this subflow last had its share queued; 0: none known. */
  #instantRate = 0;
  /** This subflow's share of the budget; recomputed whenever that many segments are queued. */
  #alpha = MIN_ALPHA;
  /** Minimum queueing delay since the last back-off. */
  #queueNs = Infinity;

  constructor(group: readonly SubflowView[], weights: WVegasWeights = 'current') {
    super();
    this.#group = group;
    this.#index = group.length;
    this.#weights = weights;
    this.#family = families.join(group, this);
  }

  override onRecovered(): void {
    super.onRecovered();
    this.#forgetRate();
  }

  override collapse(): void {
    super.collapse();
    this.#forgetRate();
  }

  protected override onRound({ meanNs }: RoundTrips, { minRttNs, windowLimited }: AckSample): void {
    const queued = this.queued(meanNs, minRttNs);
    if (this.cwnd < this.ssthresh) {
      if (queued > GAMMA) this.endSlowStart(minRttNs / meanNs);
      return;
    }
    if (queued >= this.#alpha) this.#weigh(meanNs);
    if (queued > this.#alpha) this.cwnd = Math.max(2, this.cwnd - 1);
    else if (queued < this.#alpha && windowLimited) this.cwnd += 1;
    // Like Linux's tcp_current_ssthresh: a drained window soon returns to three quarters.
    this.ssthresh = Math.max(this.ssthresh, 0.75 * this.cwnd);
    this.#drain(meanNs, minRttNs);
  }

  #weigh(meanNs: number): void {
    this.#instantRate = this.cwnd / (meanNs / 1e9);
    const total =
      this.#weights === 'current' ? totalRate(siblings(this.#group)) : this.#totalInstantRate();
    const weight = total > 0 ? this.#instantRate / total : 1;
    this.#alpha = Math.max(MIN_ALPHA, weight * TOTAL_ALPHA);
  }

  #totalInstantRate(): number {
    return this.#family.reduce(
      (sum, member) =>
        sum + (this.#group[member.#index]?.isEstablished === true ? member.#instantRate : 0),
      0,
    );
  }

  /** Linux starts over with the least share at the end of each recovery (`wvegas_enable`). */
  #forgetRate(): void {
    if (this.#weights === 'current') return;
    this.#instantRate = 0;
    this.#alpha = MIN_ALPHA;
  }

  /**
   * Twice the minimum delay means a full link: half a window drains it. Slow start then recovers most of the
   * window.
   */
  #drain(meanNs: number, minRttNs: number): void {
    const queueNs = meanNs - minRttNs;
    this.#queueNs = Math.min(this.#queueNs, queueNs);
    if (this.#queueNs <= 0 || queueNs < 2 * this.#queueNs) return;
    this.cwnd = Math.max(2, (this.cwnd * minRttNs) / (2 * meanNs));
    this.#queueNs = Infinity;
  }
}
