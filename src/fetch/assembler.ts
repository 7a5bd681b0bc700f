import type { ByteRange } from '../chunks';

/** Adjacent pieces without a gap. */
interface Run {
  start: number;
  end: number;
  pieces: Buffer[];
}

/**
 * Joins the bytes of one object. It takes pieces in any order and gives them out in order. Pieces that wait for an
 * earlier byte are kept. A byte that arrives twice is dropped and counted.
 */
export class Assembler {
  /** Waiting runs, sorted, with a gap between any two. Their number is about that of the requests in flight. */
  #runs: Run[] = [];
  #nextByte = 0;
  #waitingBytes = 0;
  #duplicateBytes = 0;

  /** The first byte that was not given out. */
  get nextByte(): number {
    return this.#nextByte;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Bytes that arrived a second time. */
  get duplicateBytes(): number {
    return this.#duplicateBytes;
  }

  /** The ranges that were given out or are waiting: sorted, disjoint. */
  held(): ByteRange[] {
    const ranges: ByteRange[] = this.#nextByte > 0 ? [{ start: 0, end: this.#nextByte }] : [];
    for (const { start, end } of this.#runs) {
      const last = ranges.at(-1);
      if (last?.end === start) last.end = end;
      else ranges.push({ start, end });
    }
    return ranges;
  }

  /** Adds a piece; returns the number of its new bytes. */
  add(start: number, bytes: Buffer): number {
    const end = start + bytes.length;
    let from = Math.max(start, this.#nextByte);
    let fresh = 0;
    const insert = (until: number): void => {
      if (until <= from) return;
      fresh += until - from;
      this.#insert({
        start: from,
        end: until,
        pieces: [bytes.subarray(from - start, until - start)],
      });
    };
    for (const run of [...this.#runs]) {
      if (from >= end) break;
      insert(Math.min(run.start, end));
      from = Math.max(from, run.end);
    }
    insert(end);
    this.#waitingBytes += fresh;
    this.#duplicateBytes += bytes.length - fresh;
    return fresh;
  }

  /** Gives out the next piece in order, if it has arrived. */
  take(): Buffer | undefined {
    const [first] = this.#runs;
    if (first?.start !== this.#nextByte) return undefined;
    const piece = first.pieces.shift();
    if (!piece) return undefined;
    first.start = this.#nextByte += piece.length;
    this.#waitingBytes -= piece.length;
    if (first.pieces.length === 0) this.#runs.shift();
    return piece;
  }

  /** Inserts a run that overlaps no other one, and joins it with its neighbours. */
  #insert(run: Run): void {
    const next = this.#runs.findIndex(({ start }) => start >= run.end);
    const at = next < 0 ? this.#runs.length : next;
    const before = this.#runs[at - 1];
    const after = this.#runs[at];
    const joined = before?.end === run.start ? before : run;
    if (joined === before) {
      before.pieces.push(...run.pieces);
      before.end = run.end;
    } else this.#runs.splice(at, 0, run);
    if (after?.start !== joined.end) return;
    joined.pieces = joined.pieces.concat(after.pieces);
    joined.end = after.end;
    this.#runs.splice(this.#runs.indexOf(after), 1);
  }
}
