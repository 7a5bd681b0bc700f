/** Port: time. */
export interface Clock {
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Calls back after at least `delayMs`; returns the function that cancels. */
  after(delayMs: number, callback: () => void): () => void;
}
