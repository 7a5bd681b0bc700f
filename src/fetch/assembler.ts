import type { ByteRange } from '../chunks';

/**
 * Joins the bytes of one object: takes pieces in any order, gives them out in order, and keeps what waits for an
 * earlier byte. A byte that arrives twice is dropped and counted.
 */
export class Assembler {
  /** Pieces beyond `nextByte`: sorted, disjoint. */
  #waiting: { start: number; bytes: Buffer }[] = [];
  #nextByte = 0;
  #waitingBytes = 0;
  #duplicateBytes = 0;

  /** The first byte that was not given out yet. */
  get nextByte(): number {
    return this.#nextByte;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Bytes that were here already when they arrived. */
  get duplicateBytes(): number {
    return this.#duplicateBytes;
  }

  /** The ranges given out or waiting: sorted, disjoint. */
  held(): ByteRange[] {
    const ranges: ByteRange[] = this.#nextByte > 0 ? [{ start: 0, end: this.#nextByte }] : [];
    for (const { start, bytes } of this.#waiting) {
      const last = ranges.at(-1);
      const end = start + bytes.length;
      if (last?.end === start) last.end = end;
      else ranges.push({ start, end });
    }
    return ranges;
  }

  /** Takes a piece; returns how many of its bytes are new. */
  add(start: number, bytes: Buffer): number {
    const end = start + bytes.length;
    const news: { start: number; bytes: Buffer }[] = [];
    let from = Math.max(start, this.#nextByte);
    for (const piece of this.#waiting) {
      if (from >= end) break;
      const pieceEnd = piece.start + piece.bytes.length;
      if (pieceEnd <= from) continue;
      if (piece.start > from) {
        const until = Math.min(piece.start, end);
        news.push({ start: from, bytes: bytes.subarray(from - start, until - start) });
      }
      from = Math.max(from, pieceEnd);
    }
    if (from < end) news.push({ start: from, bytes: bytes.subarray(from - start) });
    const fresh = news.reduce((sum, piece) => sum + piece.bytes.length, 0);
    this.#waitingBytes += fresh;
    this.#duplicateBytes += bytes.length - fresh;
    if (fresh > 0) this.#insert(news);
    return fresh;
  }

  /** Gives out the piece that is next in order, if it is here. */
  take(): Buffer | undefined {
    const piece = this.#waiting[0];
    if (piece?.start !== this.#nextByte) return undefined;
    this.#nextByte += piece.bytes.length;
    this.#waitingBytes -= piece.bytes.length;
    this.#waiting.shift();
    return piece.bytes;
  }

  #insert(news: readonly { start: number; bytes: Buffer }[]): void {
    const last = this.#waiting.at(-1);
    const isLater = !last || (news[0]?.start ?? 0) > last.start;
    this.#waiting.push(...news);
    if (!isLater) this.#waiting.sort((a, b) => a.start - b.start);
  }
}
