/** Works on one item at a time. An item that waits is replaced by a newer one. */
export class LatestOnly<Item> {
  readonly #work: (item: Item) => Promise<void>;
  #waiting: { item: Item } | undefined;
  #busy = false;

  /** @param work never rejects */
  constructor(work: (item: Item) => Promise<void>) {
    this.#work = work;
  }

  push(item: Item): void {
    this.#waiting = { item };
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    // Items of the same task replace each other before the work begins.
    await Promise.resolve();
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined;
      await this.#work(next.item);
    }
    this.#busy = false;
  }
}
