import { fastest } from './fastest';
import { eligible, type Scheduler, type SubflowState } from './scheduler';

/** The default of the first Linux MPTCP: the shortest round trip among subflows with window space. */
export class MinRtt implements Scheduler {
  readonly name = 'min-rtt';

  pick(subflows: readonly SubflowState[]): SubflowState | undefined {
    return fastest(eligible(subflows).filter(({ room }) => room > 0));
  }
}
