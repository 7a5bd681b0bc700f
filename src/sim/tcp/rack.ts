import type { Sent, SentList } from './sent-list';

/** Segments that must be known to have arrived out of order before a loss is believed at once. */
const DUPLICATE_THRESHOLD = 3;

/**
 * RACK loss detection (RFC 8985, section 6.2): a segment is lost when one sent sufficiently later has arrived.
 * Time decides, not the number of duplicates, so a lost retransmission is found too.
 */
export class Rack {
  /** When the latest-sent segment among those known to have arrived was sent. */
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
    // The answer to the first transmission of a segment that was sent again says nothing about the second.
    if (sent.retransmitted && rttNs < minRttNs) return;
    if (isLater(sent.sentNs, sent.endSeq, this.#sentNs, this.#endSeq)) {
      this.#sentNs = sent.sentNs;
      this.#endSeq = sent.endSeq;
      this.#rttNs = rttNs;
    }
  }

  /**
   * Marks what is lost by now.
   * @returns when to look again, Infinity when there is nothing to wait for
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
    let againNs = Infinity;
    for (let place = list.placeOf(0); ; place += 1) {
      const sent = list.at(place);
      if (sent === undefined) break;
      if (sent.seq >= this.#highestArrivedSeq && sent.sentNs >= this.#sentNs) break;
      if (sent.sacked || sent.lost) continue;
      if (!isLater(this.#sentNs, this.#endSeq, sent.sentNs, sent.endSeq)) continue;
      const dueNs = sent.sentNs + this.#rttNs + windowNs;
      if (dueNs <= nowNs) list.markLost(sent);
      else againNs = Math.min(againNs, dueNs);
    }
    return againNs;
  }

  #reorderWindowNs(list: SentList, minRttNs: number, srttNs: number, inRecovery: boolean): number {
    if (!this.#reordered && (inRecovery || list.sacked >= DUPLICATE_THRESHOLD)) return 0;
    return Math.round(Math.min(minRttNs / 4, srttNs));
  }
}

function isLater(oneNs: number, oneSeq: number, otherNs: number, otherSeq: number): boolean {
  return oneNs > otherNs || (oneNs === otherNs && oneSeq > otherSeq);
}
