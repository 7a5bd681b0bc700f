/** A single answer of another version may be an update in progress. */
const EDGES_THAT_DIFFER = 2;
/**
 * Objects are asked for in ranges again after this time, which doubles up to the second value: a CDN moves a network to another
 * edge. Chosen; no measurement.
 */
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 600_000;

/**
 * Remembers that two networks reach edges of a CDN whose validators differ. Their parts cannot be joined. After some time objects
 * are requested in ranges again, until one shows whether the edges still differ.
 */
export class EdgeMemory {
  #objects = 0;
  #isForGood = false;
  #retryAtMs = Infinity;
  #waitMs = FIRST_RETRY_MS;

  get differ(): boolean {
    return this.#objects >= EDGES_THAT_DIFFER;
  }

  /** True while objects are asked for in ranges although the edges differed. */
  isRetried(nowMs: number): boolean {
    return !this.#isForGood && nowMs >= this.#retryAtMs;
  }

  /** @param isForGood a server that refuses its own validator: no change of the edge mends it */
  differed(nowMs: number, isForGood: boolean): void {
    const wasRetried = this.isRetried(nowMs);
    this.#objects += 1;
    if (!this.differ) return;
    this.#isForGood ||= isForGood;
    // Several objects of one retry may differ.
    if (this.#retryAtMs !== Infinity && !wasRetried) return;
    this.#retryAtMs = nowMs + this.#waitMs;
    this.#waitMs = Math.min(MAX_RETRY_MS, 2 * this.#waitMs);
  }

  /** Parts of one object came over two networks. */
  agreed(nowMs: number): void {
    if (!this.isRetried(nowMs)) return;
    this.#objects = 0;
    this.#retryAtMs = Infinity;
  }

  /** A network went or changed its addresses: the next object shows which edge it reaches now. */
  networkChanged(): void {
    if (this.differ) this.#retryAtMs = -Infinity;
  }
}
