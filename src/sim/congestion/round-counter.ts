import type { AckSample } from './congestion-control';

/** Counts round trips: one ends when a segment sent after its start is acknowledged. */
export class RoundCounter {
  rounds = 0;
  #endDelivered = 0;

  /** @returns true if a round trip has just ended */
  observe({ priorDelivered, totalDelivered }: AckSample): boolean {
    if (priorDelivered < this.#endDelivered) return false;
    this.#endDelivered = totalDelivered;
    this.rounds += 1;
    return true;
  }
}
