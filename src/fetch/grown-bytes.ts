import { createHash } from 'node:crypto';

/** Length and hash of the bytes of an answer so far. */
export class GrownBytes {
  readonly #hash = createHash('sha256');
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#length += bytes.length;
  }

  equals(other: GrownBytes): boolean {
    const digest = (one: GrownBytes): Buffer => one.#hash.copy().digest();
    return this.#length === other.#length && digest(this).equals(digest(other));
  }
}

/**
 * A second answer with an object that its server is still writing. It has no validator, so it is joined where its bytes
 * are those that arrived already.
 */
export class RepeatedAnswer {
  readonly #bytes = new GrownBytes();

  /**
   * Takes the next bytes.
   * @param grown those of the object so far
   * @returns `repeats`: none is new yet. `joins`: the last ones are new, and all before them are the object's
   */
  take(bytes: Buffer, grown: GrownBytes): 'repeats' | 'joins' | 'differs' {
    const missing = grown.length - this.#bytes.length;
    this.#bytes.add(bytes.subarray(0, missing));
    if (bytes.length < missing) return 'repeats';
    if (!this.#bytes.equals(grown)) return 'differs';
    return bytes.length > missing ? 'joins' : 'repeats';
  }

  /** True if it ended where the object is so far: the object has no more bytes. */
  isAll(grown: GrownBytes): boolean {
    return this.#bytes.equals(grown);
  }
}
