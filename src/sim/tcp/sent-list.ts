import type { Chunk } from './segment';

/** A segment that was sent and is not acknowledged cumulatively yet. */
export interface Sent {
  seq: number;
  endSeq: number;
  chunk: Chunk;
  /** Time of the last transmission. */
  sentNs: number;
  retransmitted: boolean;
  sacked: boolean;
  /** Believed lost, and not sent again since. */
  lost: boolean;
  /** Bytes delivered when this was sent, for rate samples. */
  delivered: number;
  deliveredNs: number;
  firstSentNs: number;
  appLimited: boolean;
  /** Neighbours among the segments in flight, in order of sending. Written by {@link SentList}. */
  older: Sent | undefined;
  newer: Sent | undefined;
}

/** Called with each segment that is first known to have arrived. */
export interface ArrivalListener {
  onArrival(sent: Sent): void;
}

/**
 * Segments in flight, in order of sequence numbers. Counts are segments. Entries are reused after
 * acknowledgement: keep no reference.
 *
 * Those that are neither acknowledged nor believed lost are also linked in order of sending (Linux:
 * `tsorted_sent_queue`), so that loss detection reads only the oldest ones.
 */
export class SentList {
  sacked = 0;
  lost = 0;
  /** The one in flight that was sent first. */
  oldest: Sent | undefined;
  #newest: Sent | undefined;
  #list: Sent[] = [];
  readonly #free: Sent[] = [];
  #head = 0;

  get count(): number {
    return this.#list.length - this.#head;
  }

  /** Segments estimated to be in flight (RFC 6675's pipe). */
  get inFlight(): number {
    return this.count - this.sacked - this.lost;
  }

  get first(): Sent | undefined {
    return this.#list[this.#head];
  }

  get last(): Sent | undefined {
    return this.count === 0 ? undefined : this.#list.at(-1);
  }

  /** Appends a chunk that is about to be sent for the first time. */
  append(chunk: Chunk, seq: number, nowNs: number): Sent {
    const sent = this.#free.pop() ?? newSent(chunk);
    sent.seq = seq;
    sent.endSeq = seq + chunk.bytes;
    sent.chunk = chunk;
    sent.sentNs = nowNs;
    sent.retransmitted = false;
    sent.sacked = false;
    sent.lost = false;
    this.#list.push(sent);
    this.#link(sent);
    return sent;
  }

  /**
   * Processes an acknowledgement: removes segments covered by `ack`, marks those covered by `sack` (pairs of
   * start and end).
   * @param listener called with each segment that is first known to have arrived
   */
  take(ack: number, sack: readonly number[], listener: ArrivalListener): void {
    for (let i = 0; i < sack.length; i += 2) {
      const end = sack[i + 1] ?? 0;
      for (let place = this.#placeOf(sack[i] ?? 0); ; place += 1) {
        const sent = this.#list[place];
        if (sent === undefined || sent.endSeq > end) break;
        if (sent.sacked) continue;
        listener.onArrival(sent);
        this.markSacked(sent);
      }
    }
    for (let first = this.first; first && first.endSeq <= ack; first = this.first) {
      if (!first.sacked) listener.onArrival(first);
      this.#shift(first);
    }
  }

  /** Removes the first segment. */
  #shift(sent: Sent): void {
    this.#head += 1;
    this.#free.push(sent);
    if (sent.sacked) this.sacked -= 1;
    else if (sent.lost) this.lost -= 1;
    else this.#unlink(sent);
    if (this.#head === this.#list.length) {
      this.#list.length = 0;
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#list.length) {
      this.#list = this.#list.slice(this.#head);
      this.#head = 0;
    }
  }

  markSacked(sent: Sent): void {
    sent.sacked = true;
    this.sacked += 1;
    if (sent.lost) {
      sent.lost = false;
      this.lost -= 1;
    } else {
      this.#unlink(sent);
    }
  }

  markLost(sent: Sent): void {
    if (sent.lost || sent.sacked) return;
    sent.lost = true;
    this.lost += 1;
    this.#unlink(sent);
  }

  /** Marks all segments lost: after a time-out none counts as in flight. */
  markAllLost(): void {
    for (let place = this.#head; place < this.#list.length; place += 1) {
      const sent = this.#list[place];
      if (sent !== undefined) this.markLost(sent);
    }
  }

  /** Nothing was lost after all. */
  clearLost(): void {
    const inFlight = this.#list.slice(this.#head).filter(({ sacked }) => !sacked);
    this.oldest = undefined;
    this.#newest = undefined;
    for (const sent of inFlight.sort((one, other) => one.sentNs - other.sentNs)) {
      sent.lost = false;
      this.#link(sent);
    }
    this.lost = 0;
  }

  get firstLost(): Sent | undefined {
    if (this.lost === 0) return undefined;
    for (let place = this.#head; ; place += 1) {
      const sent = this.#list[place];
      if (sent === undefined || sent.lost) return sent;
    }
  }

  /** The segment is in flight again. */
  markSent(sent: Sent, nowNs: number): void {
    if (sent.lost) {
      sent.lost = false;
      this.lost -= 1;
    } else {
      this.#unlink(sent);
    }
    sent.retransmitted = true;
    sent.sentNs = nowNs;
    this.#link(sent);
  }

  #link(sent: Sent): void {
    sent.older = this.#newest;
    sent.newer = undefined;
    if (this.#newest === undefined) this.oldest = sent;
    else this.#newest.newer = sent;
    this.#newest = sent;
  }

  #unlink(sent: Sent): void {
    if (sent.older === undefined) this.oldest = sent.newer;
    else sent.older.newer = sent.newer;
    if (sent.newer === undefined) this.#newest = sent.older;
    else sent.newer.older = sent.older;
  }

  /** Index of the first segment that ends after `fromSeq`. */
  #placeOf(fromSeq: number): number {
    let low = this.#head;
    if ((this.#list[low]?.endSeq ?? Infinity) > fromSeq) return low;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#list[middle]?.endSeq ?? 0) <= fromSeq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function newSent(chunk: Chunk): Sent {
  return {
    seq: 0,
    endSeq: 0,
    chunk,
    sentNs: 0,
    retransmitted: false,
    sacked: false,
    lost: false,
    delivered: 0,
    deliveredNs: 0,
    firstSentNs: 0,
    appLimited: false,
    older: undefined,
    newer: undefined,
  };
}
