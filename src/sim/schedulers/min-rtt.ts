import { fastest } from './fastest';
import { eligible, type Scheduler, type SenderSubflow } from './scheduler';

/** The default of the first Linux MPTCP: the shortest round trip among subflows with window space. */
export class MinRtt implements Scheduler {
  readonly name = 'min-rtt';

  pick(subflows: readonly SenderSubflow[]): SenderSubflow | undefined {
    return fastest(eligible(subflows).filter(({ room }) => room > 0));
  }
}
