import type { StallEvent } from '../session-log';

/** Number and length of stalls. Mutable, one per session. */
export class StallTime {
  #count = 0;
  #closedMs = 0;
  #sinceMs: number | undefined;

  add(event: StallEvent): void {
    // An end alone is a stall too: the beginning of the log may be missing.
    if (this.#sinceMs === undefined) this.#count += 1;
    if (event.phase === 'start') {
      this.#sinceMs ??= event.monotonicMs;
      return;
    }
    const sinceMs = this.#sinceMs ?? event.monotonicMs;
    this.#closedMs += event.durationMs ?? Math.max(0, event.monotonicMs - sinceMs);
    this.#sinceMs = undefined;
  }

  /** True in a stall. */
  get open(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** An open stall lasts until `lastMs`. */
  finish(lastMs: number): { count: number; totalMs: number } {
    const openMs = this.#sinceMs === undefined ? 0 : Math.max(0, lastMs - this.#sinceMs);
    return { count: this.#count, totalMs: this.#closedMs + openMs };
  }
}
