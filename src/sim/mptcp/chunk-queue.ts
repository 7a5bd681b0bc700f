import type { Chunk } from '../tcp/segment';

/** Freed places that are kept before the list is shortened. Without a limit, a queue that never runs empty grows. */
const MAX_FREED = 1024;

/** Chunks in order; taking from the front costs nothing. */
export class ChunkQueue {
  #list: Chunk[] = [];
  #head = 0;

  get first(): Chunk | undefined {
    return this.#list[this.#head];
  }

  push(chunk: Chunk): void {
    this.#list.push(chunk);
  }

  shift(): Chunk | undefined {
    const chunk = this.#list[this.#head];
    if (chunk === undefined) return undefined;
    this.#head += 1;
    if (this.#head === this.#list.length) {
      this.#list.length = 0;
      this.#head = 0;
    } else if (this.#head > MAX_FREED && this.#head * 2 > this.#list.length) {
      this.#list = this.#list.slice(this.#head);
      this.#head = 0;
    }
    return chunk;
  }

  toArray(): Chunk[] {
    return this.#list.slice(this.#head);
  }
}
