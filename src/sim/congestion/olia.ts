import { square } from '../engine/exact-math';
import type { AckSample, SubflowView } from './congestion-control';
import { Families, siblings, totalRate } from './siblings';
import { WindowControl } from './window-control';

/**
 * Ranking of the paths by l, the segments between losses. `paper`: l^2 / rtt. `kernel`: l / rtt^2, as in the authors'
 * code for MPTCP 0.95 (multipath-tcp/mptcp, net/mptcp/mptcp_olia.c, `mptcp_get_epsilon`).
 */
export type OliaRanking = 'paper' | 'kernel';

/** State per subflow that only OLIA needs. */
const families = new Families<Olia>();

/**
 * OLIA (Khalili et al., IEEE/ACM ToN 2013, section IV): couples for optimal resource pooling, and moves
 * window from the paths with the largest windows to the best paths.
 */
export class Olia extends WindowControl {
  override readonly name = 'olia';
  readonly #group: readonly SubflowView[];
  readonly #family: readonly Olia[];
  readonly #index: number;
  readonly #ranking: OliaRanking;
  /** Segments delivered since the last loss, and between the last two losses. */
  #sinceLoss = 0;
  #betweenLosses = 0;
  #seconds = 0;

  constructor(group: readonly SubflowView[], ranking: OliaRanking = 'paper') {
    super();
    this.#group = group;
    this.#ranking = ranking;
    this.#index = group.length;
    this.#family = families.join(group, this);
  }

  override onAck(sample: AckSample): void {
    this.#sinceLoss += sample.delivered;
    this.#seconds = sample.srttNs / 1e9;
    super.onAck(sample);
  }

  protected override avoid(delivered: number): void {
    const total = totalRate(siblings(this.#group));
    const coupled = total > 0 ? this.cwnd / square(this.#seconds * total) : 1 / this.cwnd;
    const grow = coupled + this.#alpha() / this.cwnd;
    this.cwnd = Math.max(1, this.cwnd + delivered * grow);
  }

  protected override reduced(): number {
    this.#betweenLosses = this.#sinceLoss;
    this.#sinceLoss = 0;
    return this.cwnd / 2;
  }

  get #quality(): number {
    const segments = Math.max(this.#sinceLoss, this.#betweenLosses);
    return this.#ranking === 'paper'
      ? square(segments) / this.#seconds
      : segments / square(this.#seconds);
  }

  #alpha(): number {
    const all = this.#family.filter(
      (member) => member.#seconds > 0 && this.#group[member.#index]?.isEstablished === true,
    );
    if (all.length < 2) return 0;
    const largest = Math.max(...all.map(({ cwnd }) => cwnd));
    const best = Math.max(...all.map((member) => member.#quality));
    const isLargest = (member: Olia): boolean => member.cwnd >= largest;
    const collected = all.filter((member) => member.#quality >= best && !isLargest(member));
    if (collected.length === 0) return 0;
    if (collected.includes(this)) return 1 / (all.length * collected.length);
    return isLargest(this) ? -1 / (all.length * all.filter(isLargest).length) : 0;
  }
}
