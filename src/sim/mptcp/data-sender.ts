import type { Chunk } from '../tcp/segment';
import { ChunkQueue } from './chunk-queue';

/**
 * Linux keeps unacknowledged data in page fragments of 32 kB (SKB_FRAG_PAGE_ORDER). A retransmission period
 * reinjects the rest of the first one, and no more (__mptcp_retrans).
 */
const FRAGMENT_BYTES = 32_768;

/** The data sequence of one end's outgoing stream: unsent, outstanding, and reinjected data. */
export class DataSender {
  /** Bytes written and not assigned to a subflow yet. */
  unsentBytes = 0;
  /** Bytes reinjected on a second subflow. */
  reinjectedBytes = 0;
  #nextSeq = 0;
  #unaSeq = 0;
  /** Bytes that the application has put into the send buffer; the rest of its data waits outside. */
  #writtenSeq = 0;
  #windowEnd: number;
  readonly #bufferBytes: () => number;
  /** Assigned and not acknowledged at connection level. */
  readonly #owed = new ChunkQueue();
  #again: Chunk[] = [];

  /** @param bufferBytes size of the send buffer now */
  constructor(windowEnd: number, bufferBytes: () => number) {
    this.#windowEnd = windowEnd;
    this.#bufferBytes = bufferBytes;
  }

  /** Bytes acknowledged by the other end at connection level. */
  get unaSeq(): number {
    return this.#unaSeq;
  }

  get outstandingBytes(): number {
    return this.#nextSeq - this.#unaSeq;
  }

  /** Bytes that the other end's window still admits. */
  get windowBytes(): number {
    return Math.max(0, this.#windowEnd - this.#nextSeq);
  }

  get isAllAcked(): boolean {
    return this.#nextSeq === this.#unaSeq && this.unsentBytes === 0;
  }

  /** Takes the other end's data ack and window. @returns true if the data ack advances */
  acknowledge(dataAck: number, windowEnd: number): boolean {
    this.#windowEnd = Math.max(this.#windowEnd, windowEnd);
    if (dataAck <= this.#unaSeq) return false;
    this.#unaSeq = dataAck;
    while ((this.#owed.first?.dataSeq ?? Infinity) < dataAck) this.#owed.shift();
    if (this.#again.length > 0) {
      this.#again = this.#again.filter(({ dataSeq }) => dataSeq >= dataAck);
    }
    return true;
  }

  /** Bytes to assign next; reinjections come first. */
  nextBytes(segmentBytes: number): number {
    const again = this.#again[0];
    if (again !== undefined) return again.bytes;
    if (this.#writtenSeq - this.#nextSeq < segmentBytes) this.#write();
    const bytes = Math.min(this.unsentBytes, segmentBytes);
    // Whole segments, or the end of the available data.
    if (this.#writtenSeq - this.#nextSeq < bytes) return 0;
    return Math.min(bytes, this.#windowEnd - this.#nextSeq);
  }

  /** Takes them. */
  next(segmentBytes: number): Chunk {
    const again = this.#again.shift();
    if (again !== undefined) {
      this.reinjectedBytes += again.bytes;
      return again;
    }
    const chunk = { bytes: this.nextBytes(segmentBytes), dataSeq: this.#nextSeq };
    this.unsentBytes -= chunk.bytes;
    this.#nextSeq += chunk.bytes;
    this.#owed.push(chunk);
    return chunk;
  }

  /** Linux (__mptcp_retransmit_pending_data): what arrived out of order is sent again too. */
  sendAllAgain(): void {
    this.#again = this.#owed.toArray();
  }

  /** The rest of the first outstanding fragment; nothing if all outstanding data is about to be sent again. */
  reinjectHead(): Chunk[] {
    if (this.#again.length > 0) return [];
    const endSeq = (Math.floor(this.#unaSeq / FRAGMENT_BYTES) + 1) * FRAGMENT_BYTES;
    const all = this.#owed.toArray();
    const end = all.findIndex(({ dataSeq }) => dataSeq >= endSeq);
    const head = end < 0 ? all : all.slice(0, end);
    for (const { bytes } of head) this.reinjectedBytes += bytes;
    return head;
  }

  /**
   * The application fills the send buffer, which holds all data not acknowledged at connection level. After
   * it was full, the application continues only when a third is free (Linux: sk_stream_is_writeable).
   */
  #write(): void {
    const bufferBytes = this.#bufferBytes();
    if (this.#writtenSeq - this.#unaSeq > (bufferBytes * 2) / 3) return;
    this.#writtenSeq = Math.max(this.#writtenSeq, this.#unaSeq + bufferBytes);
  }
}
