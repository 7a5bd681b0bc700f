import { eligible, type ConnectionState, type Scheduler, type SenderSubflow } from './scheduler';

/** A window of one subflow in the schedule. */
interface Turn {
  index: number;
  /** Arrival time of its segments, relative to the start of the schedule. */
  arrivalNs: number;
  delayNs: number;
  segmentsLeft: number;
}

/**
 * DAPS, delay-aware packet scheduling (Kuhn et al., ICC 2014, algorithm 1). A schedule lists the windows of
 * all subflows by arrival time (one window per forward delay, taken as half the round trip) and segments are
 * assigned in that order. Data sent on a slow subflow is therefore the data due at its arrival.
 *
 * A schedule covers the longest delay. The paper uses the least common multiple of all delays; that is equal
 * if delays are multiples of each other, and unbounded for measured delays.
 */
export class Daps implements Scheduler {
  readonly name = 'daps';
  #turns: Turn[] = [];

  pick(
    subflows: readonly SenderSubflow[],
    { outstandingBytes }: ConnectionState,
  ): SenderSubflow | undefined {
    const all = eligible(subflows);
    // Windows and delays from before a pause are outdated.
    if (outstandingBytes === 0) this.#turns = [];
    for (;;) {
      const turn = this.#turns[0];
      if (turn === undefined) {
        if (!all.some(({ room }) => room > 0)) return undefined;
        this.#turns = layOut(all);
        continue;
      }
      const subflow = all.find(({ index }) => index === turn.index);
      if (subflow === undefined || turn.segmentsLeft === 0) {
        this.#turns.shift();
        continue;
      }
      turn.segmentsLeft -= 1;
      return subflow;
    }
  }
}

function layOut(subflows: readonly SenderSubflow[]): Turn[] {
  const horizonNs = Math.max(1, ...subflows.map(({ srttNs }) => srttNs / 2));
  const turns: Turn[] = [];
  for (const { index, srttNs, cwnd, room } of subflows) {
    // A subflow without a sample gets its current window.
    const delayNs = srttNs > 0 ? srttNs / 2 : horizonNs;
    const window = Math.max(1, Math.floor(cwnd));
    // Data in flight or queued comes first and uses windows of its own.
    let busy = window - room;
    for (let arrivalNs = delayNs; arrivalNs <= horizonNs; arrivalNs += delayNs) {
      const segmentsLeft = Math.min(window, window - busy);
      if (segmentsLeft > 0) turns.push({ index, arrivalNs, delayNs, segmentsLeft });
      busy = Math.max(0, busy - window);
    }
  }
  return turns.sort((a, b) => a.arrivalNs - b.arrivalNs || a.delayNs - b.delayNs);
}
