/** The owner of timers, as {@link Timer} sees it. */
export interface TimerKeeper {
  readonly nowNs: number;
  schedule(timer: Timer, timeNs: number): void;
}

/** A callback that fires at most once per setting; it can be set again at any time. */
export class Timer {
  /** Due time; valid while set. Written by the simulation. */
  timeNs = 0;
  /** Written by the simulation. */
  order = 0;
  /** Index in the heap, -1 outside; a cancelled timer may still be in the heap. Written by the simulation. */
  place = -1;
  /** True if it will fire. Written by the simulation. */
  isSet = false;
  /** Calls the callback. For the simulation only. */
  readonly fire: () => void;
  readonly #simulation: TimerKeeper;

  constructor(simulation: TimerKeeper, fire: () => void) {
    this.#simulation = simulation;
    this.fire = fire;
  }

  /** Sets or moves the timer. A time in the past means now; fractions of a nanosecond round up. */
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

/** Calls a function periodically to the end of the run, first after one period. */
export function every(keeper: TimerKeeper, periodNs: number, action: () => void): void {
  const timer = new Timer(keeper, () => {
    action();
    timer.setIn(periodNs);
  });
  timer.setIn(periodNs);
}
