import type { CongestionControl } from '../congestion/congestion-control';

/** Reports an idle sender to its congestion control, once for each time without a segment (RFC 2861). */
export class IdleRestart {
  readonly #congestion: CongestionControl;
  #lastSentNs = 0;

  constructor(congestion: CongestionControl) {
    this.#congestion = congestion;
  }

  onSend(nowNs: number): void {
    this.#lastSentNs = nowNs;
  }

  /** Call it before a segment is sent, while nothing is outstanding. */
  check(nowNs: number, rtoNs: number): void {
    const idleNs = nowNs - this.#lastSentNs;
    if (this.#lastSentNs === 0 || idleNs < rtoNs) return;
    this.#congestion.onIdle(nowNs, Math.floor(idleNs / rtoNs));
    this.#lastSentNs = nowNs;
  }
}
