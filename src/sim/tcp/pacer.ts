import type { CongestionControl } from '../congestion/congestion-control';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';

/** Pacing rate of Linux: twice window over round trip in slow start, 1.2 times afterwards. */
export function pacingBps(
  congestion: CongestionControl,
  srttNs: number,
  segmentBytes: number,
): number {
  if (congestion.pacingBps !== undefined) return congestion.pacingBps;
  if (srttNs === 0) return Infinity;
  const factor = congestion.cwnd < congestion.ssthresh / 2 ? 2 : 1.2;
  return (factor * congestion.cwnd * segmentBytes * 8e9) / srttNs;
}

/** Spaces segments evenly at a rate, for congestion controls that require pacing. */
export class Pacer {
  readonly #simulation: Simulation;
  readonly #timer: Timer;
  #freeNs = 0;

  /** @param resume called when the next segment may be sent */
  constructor(simulation: Simulation, resume: () => void) {
    this.#simulation = simulation;
    this.#timer = new Timer(simulation, resume);
  }

  /** True if the next segment must wait; `resume` follows. */
  holdsBack(rateBps: number | undefined): boolean {
    if (rateBps === undefined || this.#freeNs <= this.#simulation.nowNs) return false;
    this.#timer.setAt(this.#freeNs);
    return true;
  }

  onSend(bytes: number, rateBps: number | undefined): void {
    if (rateBps === undefined || !(rateBps > 0)) return;
    const { nowNs } = this.#simulation;
    this.#freeNs = Math.max(this.#freeNs, nowNs) + Math.round((bytes * 8e9) / rateBps);
  }

  cancel(): void {
    this.#timer.cancel();
  }
}
