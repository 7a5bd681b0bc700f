import { MPTCP_BURST_BYTES } from '../../core';
import { eligible, type ConnectionState, type Scheduler, type SenderSubflow } from './scheduler';

/**
 * The scheduler of mainline Linux (6.x). The next burst goes to the subflow with the least linger time, if its
 * send buffer has space. Linger time is unacknowledged bytes over an averaged pacing rate. It may assign data long
 * before the subflow can send it.
 */
export class Mainline implements Scheduler {
  readonly name = 'mainline';
  /** Bits per second, averaged over bursts, by subflow. */
  readonly #pace = new Map<number, number>();
  #current = -1;
  #burstBytes = 0;

  /** A burst ends with the call that began it (Linux since 6.7, which remembers no last subflow). */
  begin(): void {
    this.#burstBytes = 0;
  }

  pick(subflows: readonly SenderSubflow[], connection: ConnectionState): SenderSubflow | undefined {
    const candidates = eligible(subflows);
    const current = candidates.find(({ index }) => index === this.#current);
    if (current !== undefined && this.#burstBytes > 0 && hasRoom(current)) {
      this.#burstBytes -= current.segmentBytes;
      return current;
    }
    let best: SenderSubflow | undefined;
    let minNs = Infinity;
    for (const subflow of candidates) {
      const paceBps = this.#pace.get(subflow.index) ?? subflow.pacingBps;
      const lingerNs = paceBps > 0 ? (subflow.pendingBytes * 8e9) / paceBps : Infinity;
      if (best === undefined || lingerNs < minNs) {
        best = subflow;
        minNs = lingerNs;
      }
    }
    // If the chosen subflow's buffer is full the scheduler waits, even if another has space.
    if (best === undefined || !hasRoom(best)) return undefined;
    const burst = Math.min(MPTCP_BURST_BYTES, connection.windowBytes);
    this.#remember(best, burst);
    this.#current = best.index;
    this.#burstBytes = burst - best.segmentBytes;
    return best;
  }

  #remember({ index, pendingBytes, pacingBps }: SenderSubflow, burst: number): void {
    if (!Number.isFinite(pacingBps)) return;
    const before = this.#pace.get(index) ?? pacingBps;
    const weight = burst + pendingBytes;
    if (weight > 0) this.#pace.set(index, (before * pendingBytes + pacingBps * burst) / weight);
  }
}

function hasRoom({ pendingBytes, sendBufferBytes }: SenderSubflow): boolean {
  return pendingBytes < sendBufferBytes;
}
