import type { Simulation } from './simulation';

/** One thing that may happen later; set as often as wanted, at most one instant at a time. */
export class Timer {
  /** When it is due; meaningful while it is set. Kept by {@link Simulation}. */
  timeNs = 0;
  /** Kept by {@link Simulation}. */
  order = 0;
  /** Place in the heap, -1 while it is not set. Kept by {@link Simulation}. */
  place = -1;
  /** Kept by {@link Simulation}: does what the timer is for. */
  readonly fire: () => void;
  readonly #simulation: Simulation;

  constructor(simulation: Simulation, fire: () => void) {
    this.#simulation = simulation;
    this.fire = fire;
  }

  get isSet(): boolean {
    return this.place >= 0;
  }

  /** Sets it, or moves it. An instant that is past means now. @param timeNs whole nanoseconds */
  setAt(timeNs: number): void {
    this.#simulation.schedule(this, timeNs);
  }

  setIn(delayNs: number): void {
    this.#simulation.schedule(this, this.#simulation.nowNs + delayNs);
  }

  cancel(): void {
    this.#simulation.cancel(this);
  }
}
