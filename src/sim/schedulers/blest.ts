import { fastest } from './fastest';
import { eligible, type ConnectionState, type Scheduler, type SenderSubflow } from './scheduler';

/** Step and bounds of the correction. */
const STEP = 0.1;
const MIN_CORRECTION = 1;
const MAX_CORRECTION = 1.3;

/**
 * BLEST (Ferlin et al., IFIP Networking 2016): uses a slower subflow only if that would not block the window
 * while the fastest one could send. A correction learns from blocked rounds.
 */
export class Blest implements Scheduler {
  readonly name = 'blest';
  /** The paper's lambda. */
  #correction = MIN_CORRECTION;
  #roundEndNs = 0;
  #blocked = false;

  pick(subflows: readonly SenderSubflow[], connection: ConnectionState): SenderSubflow | undefined {
    const all = eligible(subflows);
    const fast = fastest(all);
    if (fast === undefined) return undefined;
    this.#learn(fast, connection);
    if (fast.room > 0) return fast;
    const slow = fastest(all.filter(({ room }) => room > 0));
    if (slow === undefined || fast.srttNs === 0 || slow.srttNs === 0) return slow;
    // Bytes the fastest subflow could send until a segment on the slow one is acknowledged (section III).
    const rounds = slow.srttNs / fast.srttNs;
    const segments = (fast.cwnd + (rounds - 1) / 2) * rounds;
    const needBytes = segments * fast.segmentBytes * this.#correction;
    const slowBytes = (slow.inFlight + 1) * slow.segmentBytes;
    return needBytes > connection.bufferBytes - slowBytes ? undefined : slow;
  }

  #learn(fast: SenderSubflow, { windowBytes, nowNs }: ConnectionState): void {
    if (windowBytes < fast.segmentBytes && fast.room > 0) this.#blocked = true;
    if (nowNs < this.#roundEndNs) return;
    const change = this.#blocked ? STEP : -STEP;
    this.#correction = Math.min(
      Math.max(this.#correction + change, MIN_CORRECTION),
      MAX_CORRECTION,
    );
    this.#blocked = false;
    this.#roundEndNs = nowNs + fast.srttNs;
  }
}
