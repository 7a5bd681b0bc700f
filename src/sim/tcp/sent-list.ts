import type { Chunk } from './segment';

/** A segment that was sent and is not acknowledged cumulatively yet. */
export interface Sent {
  readonly seq: number;
  readonly endSeq: number;
  readonly chunk: Chunk;
  /** Of the last transmission. */
  sentNs: number;
  retransmitted: boolean;
  sacked: boolean;
  /** Believed lost, and not sent again since. */
  lost: boolean;
  /** What the sender had delivered when this was sent, for rate samples. */
  delivered: number;
  deliveredNs: number;
  firstSentNs: number;
  appLimited: boolean;
}

/** What is under way, in order of sequence numbers. Counts are segments. */
export class SentList {
  sacked = 0;
  lost = 0;
  #list: Sent[] = [];
  #head = 0;

  get count(): number {
    return this.#list.length - this.#head;
  }

  /** Segments thought to be in the network (RFC 6675's pipe). */
  get inFlight(): number {
    return this.count - this.sacked - this.lost;
  }

  get first(): Sent | undefined {
    return this.#list[this.#head];
  }

  get last(): Sent | undefined {
    return this.count === 0 ? undefined : this.#list.at(-1);
  }

  /** Puts a chunk at the end that is about to be sent for the first time. */
  append(chunk: Chunk, seq: number, nowNs: number): Sent {
    const sent: Sent = {
      seq,
      endSeq: seq + chunk.bytes,
      chunk,
      sentNs: nowNs,
      retransmitted: false,
      sacked: false,
      lost: false,
      delivered: 0,
      deliveredNs: 0,
      firstSentNs: 0,
      appLimited: false,
    };
    this.#list.push(sent);
    return sent;
  }

  /**
   * Takes an acknowledgement in: what `ack` covers goes, what `sack` (pairs of start and end) covers is marked.
   * @param arrived told each segment that is known to have arrived for the first time
   */
  take(ack: number, sack: readonly number[], arrived: (sent: Sent) => void): void {
    for (let i = 0; i < sack.length; i += 2) {
      const end = sack[i + 1] ?? 0;
      this.each(sack[i] ?? 0, (sent) => {
        if (sent.endSeq > end) return false;
        if (!sent.sacked) {
          arrived(sent);
          this.markSacked(sent);
        }
        return true;
      });
    }
    for (let first = this.first; first && first.endSeq <= ack; first = this.first) {
      if (!first.sacked) arrived(first);
      this.shift();
    }
  }

  /** Takes the first one out. */
  shift(): Sent | undefined {
    const sent = this.#list[this.#head];
    if (sent === undefined) return undefined;
    this.#head += 1;
    if (sent.sacked) this.sacked -= 1;
    if (sent.lost) this.lost -= 1;
    if (this.#head === this.#list.length) {
      this.#list.length = 0;
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#list.length) {
      this.#list = this.#list.slice(this.#head);
      this.#head = 0;
    }
    return sent;
  }

  markSacked(sent: Sent): void {
    sent.sacked = true;
    this.sacked += 1;
    if (sent.lost) {
      sent.lost = false;
      this.lost -= 1;
    }
  }

  markLost(sent: Sent): void {
    if (sent.lost || sent.sacked) return;
    sent.lost = true;
    this.lost += 1;
  }

  /** It is on its way again. */
  markSent(sent: Sent, nowNs: number): void {
    if (sent.lost) {
      sent.lost = false;
      this.lost -= 1;
    }
    sent.retransmitted = true;
    sent.sentNs = nowNs;
  }

  /** Calls `visit` for each segment from `fromSeq` on until it says false. */
  each(fromSeq: number, visit: (sent: Sent) => boolean): void {
    let low = this.#head;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#list[middle]?.endSeq ?? 0) <= fromSeq) low = middle + 1;
      else high = middle;
    }
    for (let i = low; i < this.#list.length; i += 1) {
      const sent = this.#list[i];
      if (sent === undefined || !visit(sent)) return;
    }
  }
}
