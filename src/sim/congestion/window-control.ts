import {
  INITIAL_WINDOW,
  MIN_WINDOW,
  type AckSample,
  type CongestionControl,
} from './congestion-control';

/**
 * Base of all window-based controls: slow start, time-outs and idle restart. A subclass defines how the window
 * grows in congestion avoidance and how far it falls after a loss.
 */
export abstract class WindowControl implements CongestionControl {
  abstract readonly name: string;
  cwnd = INITIAL_WINDOW;
  ssthresh = Infinity;
  readonly pacingBps: number | undefined = undefined;
  /** Window and threshold before the last time-out. */
  #before = { cwnd: 0, ssthresh: 0 };

  onAck(sample: AckSample): void {
    if (sample.inRecovery || !sample.windowLimited) return;
    let left = sample.delivered;
    if (this.cwnd < this.ssthresh) {
      this.onSlowStart?.(sample);
      left = this.slowStart(left);
    }
    if (left > 0) this.avoid(left, sample);
  }

  onCongestion(nowNs: number, inFlight: number): void {
    this.ssthresh = Math.max(MIN_WINDOW, this.reduced(nowNs, inFlight));
    this.cwnd = this.ssthresh;
  }

  onRecovered(): void {
    this.cwnd = Math.max(MIN_WINDOW, Math.min(this.cwnd, this.ssthresh));
  }

  onTimeout(nowNs: number, inFlight: number): void {
    this.#before = { cwnd: this.cwnd, ssthresh: this.ssthresh };
    this.ssthresh = Math.max(MIN_WINDOW, this.reduced(nowNs, inFlight));
    this.collapse();
  }

  collapse(): void {
    this.cwnd = 1;
  }

  /** Linux (tcp_reno_undo_cwnd, tcp_undo_cwnd_reduction). */
  undo(): void {
    this.cwnd = Math.max(this.cwnd, this.#before.cwnd);
    this.ssthresh = Math.max(this.ssthresh, this.#before.ssthresh);
  }

  onIdle(_nowNs: number, timeouts: number): void {
    this.ssthresh = Math.max(this.ssthresh, 0.75 * this.cwnd);
    const restart = Math.min(this.cwnd, INITIAL_WINDOW);
    this.cwnd = Math.max(restart, this.cwnd / 2 ** timeouts);
  }

  /**
   * Grows by the acknowledged segments (RFC 5681, section 3.1).
   * @returns segments left for congestion avoidance
   */
  protected slowStart(delivered: number): number {
    const grown = Math.min(this.cwnd + delivered, this.ssthresh);
    const left = delivered - (grown - this.cwnd);
    this.cwnd = grown;
    return left;
  }

  /** May end slow start early. */
  protected onSlowStart?(sample: AckSample): void;

  /** Grows the window in congestion avoidance. */
  protected abstract avoid(delivered: number, sample: AckSample): void;
  /** The window after a loss, in segments. */
  protected abstract reduced(nowNs: number, inFlight: number): number;
}
