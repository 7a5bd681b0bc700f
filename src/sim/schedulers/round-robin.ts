import { eligible, type Scheduler, type SenderSubflow } from './scheduler';

/** One segment each in turn, among the subflows with window space. */
export class RoundRobin implements Scheduler {
  readonly name = 'round-robin';
  #last = -1;

  pick(subflows: readonly SenderSubflow[]): SenderSubflow | undefined {
    const open = eligible(subflows).filter(({ room }) => room > 0);
    const next = open.find(({ index }) => index > this.#last) ?? open[0];
    if (next !== undefined) this.#last = next.index;
    return next;
  }
}
