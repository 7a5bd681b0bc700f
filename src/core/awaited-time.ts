/** Accumulates the time in which an answer was outstanding. Times are of any clock that does not jump. */
export class AwaitedTime {
  #ms = 0;
  #asOfMs: number | undefined;

  /** Adds the time since the last call if something was awaited in it. Call this before that changes. Returns the sum. */
  count(isAwaited: boolean, nowMs: number): number {
    if (isAwaited) this.#ms += Math.max(0, nowMs - (this.#asOfMs ?? nowMs));
    this.#asOfMs = nowMs;
    return this.#ms;
  }
}
