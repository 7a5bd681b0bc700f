import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';

/** Spreads what is sent evenly at a rate, for congestion controls that ask for it. */
export class Pacer {
  readonly #simulation: Simulation;
  readonly #timer: Timer;
  #freeNs = 0;

  /** @param resume called when the next segment may go */
  constructor(simulation: Simulation, resume: () => void) {
    this.#simulation = simulation;
    this.#timer = new Timer(simulation, resume);
  }

  /** Whether the next segment has to wait; it is told when not any more. */
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
