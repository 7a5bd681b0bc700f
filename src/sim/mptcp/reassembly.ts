import type { Chunk } from '../tcp/segment';

/** Merges the chunks of all subflows into the connection's stream. */
export class Reassembly {
  /** Next byte expected. */
  nextSeq = 0;
  /** Out-of-order bytes: the current head-of-line blocking. */
  outOfOrderBytes = 0;
  /** Duplicate bytes. */
  duplicateBytes = 0;
  /** Keyed by stream offset; chunks never overlap partially, because reinjected chunks keep their bounds. */
  readonly #outOfOrder = new Map<number, number>();

  /**
   * Receives a chunk in its subflow's order.
   * @returns bytes that are now in order
   */
  add({ dataSeq, bytes }: Chunk): number {
    if (dataSeq < this.nextSeq || this.#outOfOrder.has(dataSeq)) {
      this.duplicateBytes += bytes;
      return 0;
    }
    if (dataSeq > this.nextSeq) {
      this.#outOfOrder.set(dataSeq, bytes);
      this.outOfOrderBytes += bytes;
      return 0;
    }
    const before = this.nextSeq;
    this.nextSeq += bytes;
    for (;;) {
      const bytesHere = this.#outOfOrder.get(this.nextSeq);
      if (bytesHere === undefined) break;
      this.#outOfOrder.delete(this.nextSeq);
      this.outOfOrderBytes -= bytesHere;
      this.nextSeq += bytesHere;
    }
    return this.nextSeq - before;
  }
}
