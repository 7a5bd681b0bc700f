/** What keeps timers; {@link Timer} knows no more of it. */
export interface TimerKeeper {
  readonly nowNs: number;
  schedule(timer: Timer, timeNs: number): void;
}

/** One thing that may happen later; set as often as wanted, at most one instant at a time. */
export class Timer {
  /** When it is due; meaningful while it is set. Kept by the simulation. */
  timeNs = 0;
  /** Kept by the simulation. */
  order = 0;
  /** Place in the heap, -1 while it is not in there; one that was cancelled may still be. Kept by the simulation. */
  place = -1;
  /** It will fire. Kept by the simulation. */
  isSet = false;
  /** Kept by the simulation: does what the timer is for. */
  readonly fire: () => void;
  readonly #simulation: TimerKeeper;

  constructor(simulation: TimerKeeper, fire: () => void) {
    this.#simulation = simulation;
    this.fire = fire;
  }

  /** Sets it, or moves it. An instant that is past means now; a fraction of a nanosecond is rounded up. */
  setAt(timeNs: number): void {
    this.#simulation.schedule(this, timeNs);
  }

  setIn(delayNs: number): void {
    this.#simulation.schedule(this, this.#simulation.nowNs + delayNs);
  }

  cancel(): void {
    this.isSet = false;
  }
}

/** Does something over and over, the first time after one period, to the end of the run. */
export function every(keeper: TimerKeeper, periodNs: number, action: () => void): void {
  const timer = new Timer(keeper, () => {
    action();
    timer.setIn(periodNs);
  });
  timer.setIn(periodNs);
}
