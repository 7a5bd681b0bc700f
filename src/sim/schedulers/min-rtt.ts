import { eligible, type Scheduler, type SubflowState } from './scheduler';

/** The default of the first Linux MPTCP: the shortest round trip among the subflows whose window has room. */
export class MinRtt implements Scheduler {
  readonly name = 'min-rtt';

  pick(subflows: readonly SubflowState[]): SubflowState | undefined {
    let best: SubflowState | undefined;
    for (const subflow of eligible(subflows)) {
      if (subflow.room <= 0) continue;
      if (best === undefined || subflow.srttNs < best.srttNs) best = subflow;
    }
    return best;
  }
}
