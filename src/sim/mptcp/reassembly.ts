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
  readonly #held = new Map<number, number>();

  /**
   * Receives a chunk in its subflow's order.
   * @returns bytes that are now in order
   */
  add({ dataSeq, bytes }: Chunk): number {
    if (dataSeq < this.nextSeq || this.#held.has(dataSeq)) {
      this.duplicateBytes += bytes;
      return 0;
    }
    if (dataSeq > this.nextSeq) {
      this.#held.set(dataSeq, bytes);
      this.outOfOrderBytes += bytes;
      return 0;
    }
    const before = this.nextSeq;
    this.nextSeq += bytes;
    for (;;) {
      const held = this.#held.get(this.nextSeq);
      if (held === undefined) break;
      this.#held.delete(this.nextSeq);
      this.outOfOrderBytes -= held;
      this.nextSeq += held;
    }
    return this.nextSeq - before;
  }
}
