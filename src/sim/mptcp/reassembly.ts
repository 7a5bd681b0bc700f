import type { Chunk } from '../tcp/segment';

/** Puts the chunks of all subflows into the order of the connection's stream. */
export class Reassembly {
  /** Next byte expected. */
  nextSeq = 0;
  /** Bytes that wait for earlier ones: head-of-line blocking as it is. */
  heldBytes = 0;
  /** Bytes that came twice. */
  duplicateBytes = 0;
  /** By place in the stream; chunks never overlap in part, for what is sent again is sent as it was. */
  readonly #held = new Map<number, number>();

  /** A chunk came out of a subflow. @returns bytes that are in order now */
  add({ dataSeq, bytes }: Chunk): number {
    if (dataSeq < this.nextSeq || this.#held.has(dataSeq)) {
      this.duplicateBytes += bytes;
      return 0;
    }
    if (dataSeq > this.nextSeq) {
      this.#held.set(dataSeq, bytes);
      this.heldBytes += bytes;
      return 0;
    }
    const before = this.nextSeq;
    this.nextSeq += bytes;
    for (;;) {
      const held = this.#held.get(this.nextSeq);
      if (held === undefined) break;
      this.#held.delete(this.nextSeq);
      this.heldBytes -= held;
      this.nextSeq += held;
    }
    return this.nextSeq - before;
  }
}
