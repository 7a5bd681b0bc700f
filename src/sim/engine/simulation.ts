import { SplitMix64 } from './split-mix';
import type { Timer, TimerKeeper } from './timer';

/** A run that cannot end, for example because events only schedule events at the same instant. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

/** Events at one instant that count as an endless loop. */
const MAX_EVENTS_AT_ONCE = 10_000_000;

/** Timers for which there is room at first; the arrays double when they are full. */
const FIRST_CAPACITY = 64;

/**
 * Deterministic discrete-event simulation. Time is whole nanoseconds from 0 (exact for 104 days) and never
 * goes back. Events of one instant fire in insertion order. Clock and random source are its own.
 *
 * Most timers (time-outs, delayed acknowledgements) are moved later or cancelled long before they expire.
 * Neither costs heap work here: such a timer keeps its place in the heap and is sorted again when it reaches
 * the top.
 */
export class Simulation implements TimerKeeper {
  readonly #seed: number;
  /** A heap with four children per node: the sort keys (instant and order) and the timers. */
  #times = new Float64Array(FIRST_CAPACITY);
  #orders = new Float64Array(FIRST_CAPACITY);
  readonly #timers: Timer[] = [];
  #size = 0;
  #nowNs = 0;
  #order = 0;
  #events = 0;
  #stopped = false;

  /** @param seed integer from 0 to 2^53 */
  constructor(seed: number) {
    this.#seed = seed;
  }

  get nowNs(): number {
    return this.#nowNs;
  }

  /** Events fired so far. */
  get events(): number {
    return this.#events;
  }

  /** A random sequence for one named part of the model; draws of other parts do not change it. */
  random(part: string): SplitMix64 {
    return SplitMix64.fromText(this.#seed, part);
  }

  /**
   * Fires all events up to and including `untilNs`, and leaves the clock there.
   * @throws SimulationError after ten million events at one instant
   */
  run(untilNs: number): void {
    this.#stopped = false;
    let atOnce = 0;
    while (this.#size > 0) {
      const timeNs = this.#times[0] ?? 0;
      if (timeNs > untilNs) break;
      const timer = this.#timers[0];
      if (timer === undefined) break;
      if (!timer.isSet) {
        this.#removeTop();
      } else if (timer.order !== this.#orders[0]) {
        // The timer was moved later since its insertion.
        this.#sink(timer, timer.timeNs, timer.order);
      } else {
        if (timeNs > this.#nowNs) {
          this.#nowNs = timeNs;
          atOnce = 0;
        } else if ((atOnce += 1) > MAX_EVENTS_AT_ONCE) {
          throw new SimulationError(`the time stands still at ${this.#nowNs} ns`);
        }
        // The fired timer stays on top meanwhile: new events sort after it, and most timers are set again at
        // once.
        timer.isSet = false;
        this.#events += 1;
        timer.fire();
        if (this.#isStopped()) return;
      }
    }
    this.#nowNs = Math.max(this.#nowNs, untilNs);
  }

  /** Ends `run` after the current event. */
  stop(): void {
    this.#stopped = true;
  }

  #isStopped(): boolean {
    return this.#stopped;
  }

  /** Puts a timer into the queue; called by {@link Timer}. */
  schedule(timer: Timer, timeNs: number): void {
    timer.timeNs = timeNs > this.#nowNs ? Math.ceil(timeNs) : this.#nowNs;
    this.#order += 1;
    timer.order = this.#order;
    timer.isSet = true;
    if (timer.place < 0) {
      if (this.#size === this.#times.length) this.#grow();
      this.#size += 1;
      this.#rise(timer, this.#size - 1);
    } else if (timer.timeNs < (this.#times[timer.place] ?? 0)) {
      this.#rise(timer, timer.place);
    }
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    const orders = new Float64Array(times.length);
    times.set(this.#times);
    orders.set(this.#orders);
    this.#times = times;
    this.#orders = orders;
  }

  #removeTop(): void {
    const top = this.#timers[0];
    if (top !== undefined) top.place = -1;
    this.#size -= 1;
    const last = this.#timers.pop();
    if (last === undefined || last === top) return;
    this.#sink(last, this.#times[this.#size] ?? 0, this.#orders[this.#size] ?? 0);
  }

  /** Moves an entry towards the top while its time is earlier. */
  #rise(timer: Timer, from: number): void {
    const times = this.#times;
    const orders = this.#orders;
    const timers = this.#timers;
    const { timeNs, order } = timer;
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 2;
      const aboveNs = times[above] ?? 0;
      if (aboveNs < timeNs || (aboveNs === timeNs && (orders[above] ?? 0) < order)) break;
      const parent = timers[above];
      if (parent === undefined) break;
      times[place] = aboveNs;
      orders[place] = orders[above] ?? 0;
      timers[place] = parent;
      parent.place = place;
      place = above;
    }
    times[place] = timeNs;
    orders[place] = order;
    timers[place] = timer;
    timer.place = place;
  }

  /** Moves an entry down from the top, with the given sort keys. */
  #sink(timer: Timer, timeNs: number, order: number): void {
    const times = this.#times;
    const orders = this.#orders;
    const timers = this.#timers;
    const size = this.#size;
    let place = 0;
    for (;;) {
      const first = 4 * place + 1;
      if (first >= size) break;
      const end = first + 4 < size ? first + 4 : size;
      let child = first;
      let childNs = times[first] ?? 0;
      let childOrder = orders[first] ?? 0;
      for (let other = first + 1; other < end; other += 1) {
        const otherNs = times[other] ?? 0;
        if (otherNs > childNs || (otherNs === childNs && (orders[other] ?? 0) > childOrder)) {
          continue;
        }
        child = other;
        childNs = otherNs;
        childOrder = orders[other] ?? 0;
      }
      if (timeNs < childNs || (timeNs === childNs && order < childOrder)) break;
      const below = timers[child];
      if (below === undefined) break;
      times[place] = childNs;
      orders[place] = childOrder;
      timers[place] = below;
      below.place = place;
      place = child;
    }
    times[place] = timeNs;
    orders[place] = order;
    timers[place] = timer;
    timer.place = place;
  }
}
