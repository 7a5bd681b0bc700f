/** Works on one item at a time. An item that waits is merged into a newer one. */
export class MergingQueue<Item> {
  readonly #work: (item: Item) => Promise<void>;
  readonly #merge: (waiting: Item, newer: Item) => Item;
  #waiting: { item: Item } | undefined;
  #busy = false;

  /** @param work never rejects */
  constructor(work: (item: Item) => Promise<void>, merge: (waiting: Item, newer: Item) => Item) {
    this.#work = work;
    this.#merge = merge;
  }

  push(item: Item): void {
    this.#waiting = { item: this.#waiting ? this.#merge(this.#waiting.item, item) : item };
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    // Items of the same task are merged before the work begins.
    await Promise.resolve();
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined;
      await this.#work(next.item);
    }
    this.#busy = false;
  }
}
