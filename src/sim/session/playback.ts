import type { MediaType } from '../../core';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';

export interface PlaybackEvents {
  onStart: () => void;
  /** Called once a stall counts, and at its end. @param atMs its beginning or end, which may be before now */
  onStall: (phase: 'start' | 'end', atMs: number, durationMs: number) => void;
  onEnd: () => void;
}

/** A shorter standstill is a hitch and no stall, as with a real player (src/player/video/stall-machine). */
const MIN_STALL_MS = 100;

/**
 * Plays the buffers in real time: starts with the first segment of each medium, stands still when one buffer is
 * empty, which is a stall from 100 ms on.
 */
export class Playback {
  playing = false;
  started = false;
  readonly #simulation: Simulation;
  readonly #events: PlaybackEvents;
  readonly #lengthMs: number;
  readonly #bufferedUntilMs = new Map<MediaType, number>();
  readonly #timer: Timer;
  /** Set while playback stands still for too short a time to be a stall. */
  readonly #hitch: Timer;
  #positionMs = 0;
  #asOfMs = 0;
  #stalledAtMs = 0;
  #over = false;

  /** @param media the present media  @param lengthMs of the film */
  constructor(
    simulation: Simulation,
    media: readonly MediaType[],
    lengthMs: number,
    events: PlaybackEvents,
  ) {
    this.#simulation = simulation;
    this.#events = events;
    this.#lengthMs = lengthMs;
    for (const type of media) this.#bufferedUntilMs.set(type, 0);
    this.#timer = new Timer(simulation, () => this.#onDry());
    this.#hitch = new Timer(simulation, () => events.onStall('start', this.#stalledAtMs, 0));
  }

  get positionMs(): number {
    return this.playing
      ? this.#positionMs + this.#simulation.nowNs / 1e6 - this.#asOfMs
      : this.#positionMs;
  }

  /** Buffer ahead of the playhead. */
  bufferMs(type: MediaType): number {
    return Math.max(0, (this.#bufferedUntilMs.get(type) ?? 0) - this.positionMs);
  }

  /** Call this when a segment was appended. */
  append(type: MediaType, untilMs: number): void {
    this.#bufferedUntilMs.set(type, untilMs);
    if (this.#over) return;
    const ready = this.#readyUntilMs();
    if (!this.playing && ready > this.positionMs) this.#play();
    else if (this.playing) this.#timer.setIn(Math.round((ready - this.positionMs) * 1e6));
  }

  #readyUntilMs(): number {
    return Math.min(...this.#bufferedUntilMs.values());
  }

  #play(): void {
    const nowMs = this.#simulation.nowNs / 1e6;
    this.playing = true;
    this.#asOfMs = nowMs;
    this.#timer.setIn(Math.round((this.#readyUntilMs() - this.#positionMs) * 1e6));
    if (this.started) {
      const isStall = !this.#hitch.isSet;
      this.#hitch.cancel();
      if (isStall) this.#events.onStall('end', nowMs, nowMs - this.#stalledAtMs);
    } else {
      this.started = true;
      this.#events.onStart();
    }
  }

  #onDry(): void {
    const nowMs = this.#simulation.nowNs / 1e6;
    this.#positionMs = this.#readyUntilMs();
    this.playing = false;
    if (this.#positionMs >= this.#lengthMs) {
      this.#over = true;
      this.#events.onEnd();
      return;
    }
    this.#stalledAtMs = nowMs;
    this.#hitch.setIn(MIN_STALL_MS * 1e6);
  }
}
