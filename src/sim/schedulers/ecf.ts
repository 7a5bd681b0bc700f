import { fastest } from './fastest';
import { eligible, type ConnectionState, type Scheduler, type SenderSubflow } from './scheduler';

/** Hysteresis once waiting has begun. */
const BETA = 0.25;

/**
 * ECF, earliest completion first (Lim et al., CoNEXT 2017): waits for the fastest subflow if waiting
 * completes the remaining data sooner than using a slower subflow now.
 */
export class Ecf implements Scheduler {
  readonly name = 'ecf';
  #waiting = false;

  pick(subflows: readonly SenderSubflow[], connection: ConnectionState): SenderSubflow | undefined {
    const all = eligible(subflows);
    const fast = fastest(all);
    if (fast === undefined || fast.room > 0) return fast;
    const slow = fastest(all.filter(({ room }) => room > 0));
    if (slow === undefined || fast.srttNs === 0 || slow.srttNs === 0) return slow;
    const left = connection.unsentBytes / fast.segmentBytes;
    const spreadNs = Math.max(fast.rttVarianceNs, slow.rttVarianceNs);
    const waitNs = (1 + left / fast.cwnd) * fast.srttNs;
    const patience = 1 + (this.#waiting ? BETA : 0);
    if (waitNs < patience * (slow.srttNs + spreadNs)) {
      if ((left / slow.cwnd) * slow.srttNs >= 2 * fast.srttNs + spreadNs) {
        this.#waiting = true;
        return undefined;
      }
    } else {
      this.#waiting = false;
    }
    return slow;
  }
}
