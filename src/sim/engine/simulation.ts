import { SplitMix64 } from './split-mix';
import type { Timer, TimerKeeper } from './timer';

/** A run that will not end by itself, such as one in which events only ever cause events at the same instant. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

/** Events at one instant before it counts as an endless loop. */
const MAX_EVENTS_AT_ONCE = 10_000_000;

/**
 * Deterministic discrete events. Time is whole nanoseconds from 0 (exact for 104 days) and never goes back; events of one instant
 * happen in the order in which they were set. Nothing here knows a clock or a random source of its own.
 */
export class Simulation implements TimerKeeper {
  readonly #seed: number;
  /** A binary heap of timers, each of which knows its place. */
  readonly #heap: Timer[] = [];
  #nowNs = 0;
  #order = 0;
  #events = 0;
  #stopped = false;

  /** @param seed whole number from 0 to 2^53 */
  constructor(seed: number) {
    this.#seed = seed;
  }

  get nowNs(): number {
    return this.#nowNs;
  }

  /** Events so far. */
  get events(): number {
    return this.#events;
  }

  /** A random sequence of its own for one part of the model: another part that draws more does not move it. */
  random(part: string): SplitMix64 {
    return SplitMix64.fromText(this.#seed, part);
  }

  /**
   * Runs what is due up to and including `untilNs`, and leaves the time there.
   * @throws SimulationError when the time stands still for ten million events
   */
  run(untilNs: number): void {
    this.#stopped = false;
    let atOnce = 0;
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.timeNs > untilNs) break;
      if (next.timeNs > this.#nowNs) {
        this.#nowNs = next.timeNs;
        atOnce = 0;
      } else if ((atOnce += 1) > MAX_EVENTS_AT_ONCE) {
        throw new SimulationError(`the time stands still at ${String(this.#nowNs)} ns`);
      }
      this.#remove(next);
      this.#events += 1;
      next.fire();
      if (this.#isStopped()) return;
    }
    this.#nowNs = Math.max(this.#nowNs, untilNs);
  }

  /** Ends `run` after the present event. */
  stop(): void {
    this.#stopped = true;
  }

  #isStopped(): boolean {
    return this.#stopped;
  }

  /** For {@link Timer}. */
  schedule(timer: Timer, timeNs: number): void {
    timer.timeNs = timeNs > this.#nowNs ? timeNs : this.#nowNs;
    this.#order += 1;
    timer.order = this.#order;
    if (timer.place < 0) {
      timer.place = this.#heap.length;
      this.#heap.push(timer);
      this.#up(timer.place);
    } else {
      this.#up(timer.place);
      this.#down(timer.place);
    }
  }

  /** For {@link Timer}. */
  cancel(timer: Timer): void {
    if (timer.place >= 0) this.#remove(timer);
  }

  #remove(timer: Timer): void {
    const place = timer.place;
    const last = this.#heap.pop();
    timer.place = -1;
    if (last === undefined || last === timer) return;
    this.#heap[place] = last;
    last.place = place;
    this.#up(place);
    this.#down(last.place);
  }

  #up(from: number): void {
    const heap = this.#heap;
    const timer = heap[from];
    if (timer === undefined) return;
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(timer, parent)) break;
      heap[place] = parent;
      parent.place = place;
      place = above;
    }
    heap[place] = timer;
    timer.place = place;
  }

  #down(from: number): void {
    const heap = this.#heap;
    const timer = heap[from];
    if (timer === undefined) return;
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      let child = heap[below];
      if (child === undefined) break;
      const right = heap[below + 1];
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        below += 1;
      }
      if (!isBefore(child, timer)) break;
      heap[place] = child;
      child.place = place;
      place = below;
    }
    heap[place] = timer;
    timer.place = place;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.timeNs < other.timeNs || (one.timeNs === other.timeNs && one.order < other.order);
}
