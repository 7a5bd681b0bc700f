import type { ByteRange } from '../chunks';

/**
 * Size of the blocks into which small adjacent pieces are copied. A server chooses the size of its chunks. Each piece
 * holds memory of its own: 100 B, and the 64 kB buffer of the socket's read.
 */
const BLOCK_BYTES = 16_384;

/** Adjacent pieces without a gap. */
interface Run {
  start: number;
  end: number;
  pieces: Buffer[];
  /** The rest of the block in which the last piece lies. */
  room?: Buffer | undefined;
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

  /** The first byte that is missing. Bytes before it wait for the reader alone. */
  get missingByte(): number {
    const [first] = this.#runs;
    return first?.start === this.#nextByte ? first.end : this.#nextByte;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Bytes that arrived a second time. */
  get duplicateBytes(): number {
    return this.#duplicateBytes;
  }

  /** The ranges that were given out or are waiting: sorted, disjoint. */
  received(): ByteRange[] {
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
      this.#insert(from, bytes.subarray(from - start, until - start));
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

  /** Inserts bytes that overlap no run, and joins them with their neighbours. */
  #insert(start: number, bytes: Buffer): void {
    const end = start + bytes.length;
    const next = this.#runs.findIndex((run) => run.start >= end);
    const at = next < 0 ? this.#runs.length : next;
    const before = this.#runs[at - 1];
    const after = this.#runs[at];
    const joined = before?.end === start ? before : { start, end: start, pieces: [] };
    if (joined !== before) this.#runs.splice(at, 0, joined);
    append(joined, bytes);
    if (after?.start !== joined.end) return;
    joined.pieces = joined.pieces.concat(after.pieces);
    joined.end = after.end;
    joined.room = after.room;
    this.#runs.splice(this.#runs.indexOf(after), 1);
  }
}

function append(run: Run, bytes: Buffer): void {
  const { pieces, room } = run;
  const last = pieces.at(-1);
  const length = (last?.length ?? 0) + bytes.length;
  run.end += bytes.length;
  if (!last || length > BLOCK_BYTES) {
    pieces.push(bytes);
    run.room = undefined;
  } else if (room) {
    bytes.copy(room);
    pieces[pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, length);
    run.room = room.subarray(bytes.length);
  } else {
    const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    last.copy(block);
    bytes.copy(block, last.length);
    pieces[pieces.length - 1] = block.subarray(0, length);
    run.room = block.subarray(length);
  }
}
