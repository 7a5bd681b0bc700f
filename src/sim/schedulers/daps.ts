import { eligible, type ConnectionState, type Scheduler, type SubflowState } from './scheduler';

/** A window of one subflow in the schedule. */
interface Turn {
  index: number;
  /** When its segments would arrive, counted from the start of the schedule. */
  arrivalNs: number;
  delayNs: number;
  segmentsLeft: number;
}

/**
 * DAPS, delay-aware packet scheduling (Kuhn et al., ICC 2014, algorithm 1): lays out ahead which windows of which
 * subflow arrive when (each forward delay a window, half the round trip standing for that delay) and hands out
 * segments in that order. So what a slow subflow sends now is what is due when it arrives, and what the fast one will
 * send until then waits for it.
 *
 * A schedule reaches as far as the longest delay. The paper takes the least common multiple of all: the same where
 * delays are multiples of each other, and endless where measured ones are not.
 */
export class Daps implements Scheduler {
  readonly name = 'daps';
  #turns: Turn[] = [];

  pick(
    subflows: readonly SubflowState[],
    { outstandingBytes }: ConnectionState,
  ): SubflowState | undefined {
    const all = eligible(subflows);
    // Windows and delays of before a pause say nothing any more.
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

function layOut(subflows: readonly SubflowState[]): Turn[] {
  const horizonNs = Math.max(1, ...subflows.map(({ srttNs }) => srttNs / 2));
  const turns: Turn[] = [];
  for (const { index, srttNs, cwnd, room } of subflows) {
    // One that was never measured gets the window it has.
    const delayNs = srttNs > 0 ? srttNs / 2 : horizonNs;
    const window = Math.max(1, Math.floor(cwnd));
    // What is under way or queued comes first, and takes windows of its own.
    let busy = window - room;
    for (let arrivalNs = delayNs; arrivalNs <= horizonNs; arrivalNs += delayNs) {
      const segmentsLeft = Math.min(window, window - busy);
      if (segmentsLeft > 0) turns.push({ index, arrivalNs, delayNs, segmentsLeft });
      busy = Math.max(0, busy - window);
    }
  }
  return turns.sort((a, b) => a.arrivalNs - b.arrivalNs || a.delayNs - b.delayNs);
}
