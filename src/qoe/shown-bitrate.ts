/** Mean bit rate on screen between two player events. Switches occur between such events. */
export class ShownBitrate {
  #bitrateBps = 0;
  #markMs = 0;
  #sum = 0;

  /** Ends the time of the last bit rate. This one is on screen from here on. */
  mark(atMs: number, bitrateBps: number): void {
    // Without a rendered rung at the last mark, the time belongs to the next rung.
    const shownBps = this.#bitrateBps > 0 ? this.#bitrateBps : bitrateBps;
    this.#sum += shownBps * Math.max(0, atMs - this.#markMs);
    this.#markMs = Math.max(this.#markMs, atMs);
    this.#bitrateBps = bitrateBps;
  }

  restart(atMs: number, bitrateBps: number): void {
    this.#sum = 0;
    this.#markMs = atMs;
    this.#bitrateBps = bitrateBps;
  }

  /** The mean over the time since the restart. */
  over(wallMs: number): number {
    return this.#sum / wallMs;
  }
}
