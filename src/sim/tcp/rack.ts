import type { Sent, SentList } from './sent-list';

/** Number of segments delivered out of order that makes a loss certain at once. */
const DUPLICATE_THRESHOLD = 3;

/**
 * RACK loss detection (RFC 8985, section 6.2): a segment is lost if one sent sufficiently later has arrived.
 * Time decides instead of duplicate counts, so lost retransmissions are found too.
 */
export class Rack {
  /** Send time of the latest-sent segment known to have arrived. */
  #sentNs = -1;
  #endSeq = 0;
  #rttNs = 0;
  #highestArrivedSeq = 0;
  #reordered = false;

  /** A segment is known to have arrived for the first time. */
  onArrival(sent: Sent, nowNs: number, minRttNs: number): void {
    if (sent.endSeq < this.#highestArrivedSeq && !sent.retransmitted) this.#reordered = true;
    this.#highestArrivedSeq = Math.max(this.#highestArrivedSeq, sent.endSeq);
    const rttNs = nowNs - sent.sentNs;
    // An acknowledgement of the first transmission carries no information about the retransmission.
    if (sent.retransmitted && rttNs < minRttNs) return;
    if (isLater(sent.sentNs, sent.endSeq, this.#sentNs, this.#endSeq)) {
      this.#sentNs = sent.sentNs;
      this.#endSeq = sent.endSeq;
      this.#rttNs = rttNs;
    }
  }

  /**
   * Marks lost segments.
   * @returns the time of the next check, Infinity if none is due
   */
  detect(
    list: SentList,
    nowNs: number,
    minRttNs: number,
    srttNs: number,
    inRecovery: boolean,
  ): number {
    if (this.#sentNs < 0) return Infinity;
    const windowNs = this.#reorderWindowNs(list, minRttNs, srttNs, inRecovery);
    let next: Sent | undefined;
    for (let sent = list.oldest; sent !== undefined; sent = next) {
      next = sent.newer;
      if (sent.sentNs > this.#sentNs) break;
      if (!isLater(this.#sentNs, this.#endSeq, sent.sentNs, sent.endSeq)) continue;
      const dueNs = sent.sentNs + this.#rttNs + windowNs;
      if (dueNs > nowNs) return dueNs;
      list.markLost(sent);
    }
    return Infinity;
  }

  #reorderWindowNs(list: SentList, minRttNs: number, srttNs: number, inRecovery: boolean): number {
    if (!this.#reordered && (inRecovery || list.sacked >= DUPLICATE_THRESHOLD)) return 0;
    return Math.round(Math.min(minRttNs / 4, srttNs));
  }
}

function isLater(oneNs: number, oneSeq: number, otherNs: number, otherSeq: number): boolean {
  return oneNs > otherNs || (oneNs === otherNs && oneSeq > otherSeq);
}
