import { createHash } from 'node:crypto';

/** Bytes that the rest of an object repeats: no other place of compressed media has the same. */
export const TAIL_BYTES = 4096;

/** Length and hash of the bytes of an answer so far, and the last of them. */
export class GrownBytes {
  readonly #hash = createHash('sha256');
  #length = 0;
  #tail = Buffer.alloc(0);

  get tail(): Buffer {
    return this.#tail;
  }

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#length += bytes.length;
    const last = bytes.subarray(-TAIL_BYTES);
    this.#tail = Buffer.concat([this.#tail, last]).subarray(-TAIL_BYTES);
  }

  equals(other: GrownBytes): boolean {
    const digest = (one: GrownBytes): Buffer => one.#hash.copy().digest();
    return this.#length === other.#length && digest(this).equals(digest(other));
  }
}

/** An answer that begins with bytes that another one has brought. */
export interface Repeated {
  /**
   * Takes the next bytes.
   * @param grown those of the object so far
   * @returns `repeats`: none is new yet. `joins`: the last ones are new, and all before them are the object's
   */
  take(bytes: Buffer, grown: GrownBytes): 'repeats' | 'joins' | 'differs';
  /** True if it ended where the object is so far: the object has no more bytes. */
  isAll(grown: GrownBytes): boolean;
}

/**
 * A second answer with an object that its server is still writing. It has no validator, so it is joined where its bytes
 * are those that arrived already.
 */
export class RepeatedAnswer implements Repeated {
  readonly #bytes = new GrownBytes();

  take(bytes: Buffer, grown: GrownBytes): 'repeats' | 'joins' | 'differs' {
    const missing = grown.length - this.#bytes.length;
    this.#bytes.add(bytes.subarray(0, missing));
    if (bytes.length < missing) return 'repeats';
    if (!this.#bytes.equals(grown)) return 'differs';
    return bytes.length > missing ? 'joins' : 'repeats';
  }

  isAll(grown: GrownBytes): boolean {
    return this.#bytes.equals(grown);
  }
}

/**
 * The rest of an object whose server has written it by now. The first answer has no validator, so the rest begins with its last
 * bytes, and is joined behind them.
 */
export class RepeatedTail implements Repeated {
  readonly #length: number;
  #tail: Buffer;
  #position: number;

  /** @param grown the bytes so far, with a whole tail */
  constructor({ length, tail }: GrownBytes) {
    this.#length = length;
    this.#tail = tail;
    this.#position = length - tail.length;
  }

  take(bytes: Buffer, grown: GrownBytes): 'repeats' | 'joins' | 'differs' {
    const known = Math.min(bytes.length, this.#tail.length);
    if (!bytes.subarray(0, known).equals(this.#tail.subarray(0, known))) return 'differs';
    this.#tail = this.#tail.subarray(known);
    this.#position += bytes.length;
    // The first answer may have gone on meanwhile.
    return this.#position > grown.length ? 'joins' : 'repeats';
  }

  isAll(grown: GrownBytes): boolean {
    return this.#tail.length === 0 && grown.length === this.#length;
  }
}
