import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { RoundTrip } from './round-trip';
import type { SentList } from './sent-list';

/** A time-out (RFC 6298), a tail loss probe (RFC 8985, section 7) or RACK's reordering limit (section 6.2). */
export type LossTimerKind = 'rto' | 'probe' | 'reorder';

/** Linux: the tail loss probe allows for the delayed acknowledgement of a lone segment. */
const PROBE_LONE_NS = 200e6;

/** The one timer of a sender, which is one of three at a time. */
export class LossTimer {
  readonly #simulation: Simulation;
  readonly #roundTrip: RoundTrip;
  readonly #timer: Timer;
  #kind: LossTimerKind = 'rto';

  constructor(
    simulation: Simulation,
    roundTrip: RoundTrip,
    onExpiry: (kind: LossTimerKind) => void,
  ) {
    this.#simulation = simulation;
    this.#roundTrip = roundTrip;
    this.#timer = new Timer(simulation, () => {
      const kind = this.#kind;
      if (kind === 'reorder') this.#kind = 'rto';
      onExpiry(kind);
    });
  }

  get isSet(): boolean {
    return this.#timer.isSet;
  }

  /** Time until it expires; 0 if it is not set. */
  get leftNs(): number {
    return this.#timer.isSet ? Math.max(0, this.#timer.timeNs - this.#simulation.nowNs) : 0;
  }

  cancel(): void {
    this.#timer.cancel();
  }

  awaitReordering(untilNs: number): void {
    this.#kind = 'reorder';
    this.#timer.setAt(untilNs);
  }

  /** Sets the next time-out after one has expired. */
  backOff(): void {
    this.#kind = 'rto';
    this.#timer.setIn(this.#roundTrip.rtoNs);
  }

  /**
   * Sets the right timer: none, a tail loss probe, or a time-out. A reordering limit stays.
   * @param mayProbe no loss is known and no probe is under way
   */
  arm(sent: SentList, mayProbe: boolean): void {
    if (this.#timer.isSet && this.#kind === 'reorder') return;
    const oldest = sent.first;
    if (oldest === undefined) {
      this.#timer.cancel();
      return;
    }
    const { nowNs } = this.#simulation;
    const { rtoNs, srttNs } = this.#roundTrip;
    const rtoAtNs = Math.max(nowNs, oldest.sentNs) + rtoNs;
    // PTO of RFC 8985, section 7.2: a probe comes first, at the time-out's time if that is earlier.
    const probeAtNs = nowNs + Math.round(2 * srttNs + (sent.count === 1 ? PROBE_LONE_NS : 0));
    this.#kind = mayProbe && srttNs > 0 ? 'probe' : 'rto';
    this.#timer.setAt(this.#kind === 'probe' ? Math.min(probeAtNs, rtoAtNs) : rtoAtNs);
  }
}
