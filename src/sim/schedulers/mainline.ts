import { eligible, type ConnectionState, type Scheduler, type SubflowState } from './scheduler';

/** As much goes to one subflow before the next is chosen. */
const BURST_BYTES = 65_428;

/**
 * The scheduler of mainline Linux (6.x): the subflow whose queue would be sent soonest (least lingering time:
 * bytes not acknowledged over an averaged pacing rate) gets the next burst, as long as its send buffer has room. It
 * may so hand data to a subflow long before that can send it.
 */
export class Mainline implements Scheduler {
  readonly name = 'mainline';
  /** Bits per second, averaged over bursts, by subflow. */
  readonly #pace = new Map<number, number>();
  #current = -1;
  #burstBytes = 0;

  /** A burst ends with the call in which it began (Linux since 6.7, which remembers no last subflow). */
  begin(): void {
    this.#burstBytes = 0;
  }

  pick(subflows: readonly SubflowState[], connection: ConnectionState): SubflowState | undefined {
    const candidates = eligible(subflows);
    const current = candidates.find(({ index }) => index === this.#current);
    if (current !== undefined && this.#burstBytes > 0 && hasRoom(current)) {
      this.#burstBytes -= current.segmentBytes;
      return current;
    }
    let best: SubflowState | undefined;
    let leastNs = Infinity;
    for (const subflow of candidates) {
      const paceBps = this.#pace.get(subflow.index) ?? subflow.pacingBps;
      const lingerNs = paceBps > 0 ? (subflow.pendingBytes * 8e9) / paceBps : Infinity;
      if (best === undefined || lingerNs < leastNs) {
        best = subflow;
        leastNs = lingerNs;
      }
    }
    // A full buffer of the chosen one means waiting, also where another would have room.
    if (best === undefined || !hasRoom(best)) return undefined;
    const burst = Math.min(BURST_BYTES, connection.windowBytes);
    this.#remember(best, burst);
    this.#current = best.index;
    this.#burstBytes = burst - best.segmentBytes;
    return best;
  }

  #remember({ index, pendingBytes, pacingBps }: SubflowState, burst: number): void {
    if (!Number.isFinite(pacingBps)) return;
    const before = this.#pace.get(index) ?? pacingBps;
    const weight = burst + pendingBytes;
    if (weight > 0) this.#pace.set(index, (before * pendingBytes + pacingBps * burst) / weight);
  }
}

function hasRoom({ pendingBytes, sendBufferBytes }: SubflowState): boolean {
  return pendingBytes < sendBufferBytes;
}
