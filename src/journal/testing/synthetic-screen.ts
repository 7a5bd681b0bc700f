import type { LogEvent } from '../../session-log';
import { at, bitrateBps, SEGMENT_MS, STEP_MS } from './synthetic-network';

/** Plays the buffer and logs stalls, switches and the player's state. */
export class SyntheticScreen {
  bufferMs = 0;
  readonly #events: LogEvent[];
  readonly #rungs: number[] = [];
  #positionMs = 0;
  #rung = -1;
  #isPlaying = false;
  #stalledAtMs: number | undefined;
  #decoded = 0;

  constructor(events: LogEvent[]) {
    this.#events = events;
  }

  append(rung: number): void {
    this.bufferMs += SEGMENT_MS;
    this.#rungs.push(rung);
  }

  step(ms: number): void {
    if (!this.#isPlaying && this.bufferMs >= SEGMENT_MS) this.#start(ms);
    if (this.#isPlaying) this.#play(ms);
    if (ms % 500 !== 0) return;
    this.#events.push({
      type: 'player',
      monotonicMs: at(ms),
      positionMs: this.#positionMs,
      bufferMs: this.bufferMs,
      playing: this.#isPlaying,
      rung: this.#rung,
      bitrateBps: bitrateBps(this.#rung),
      decodedFrames: Math.floor(this.#decoded),
      droppedFrames: 0,
    });
  }

  #start(ms: number): void {
    this.#isPlaying = true;
    if (this.#positionMs === 0) {
      this.#events.push({ type: 'startup', monotonicMs: at(ms), startupDelayMs: ms });
    }
    if (this.#stalledAtMs === undefined) return;
    const durationMs = ms - this.#stalledAtMs;
    this.#events.push({ type: 'stall', monotonicMs: at(ms), phase: 'end', durationMs });
    this.#stalledAtMs = undefined;
  }

  #play(ms: number): void {
    const step = Math.min(STEP_MS, this.bufferMs);
    this.bufferMs -= step;
    this.#positionMs += step;
    this.#decoded += (step / 1000) * 25;
    const shown = this.#rungs[Math.floor(this.#positionMs / SEGMENT_MS)] ?? this.#rung;
    if (shown !== this.#rung && this.#rung >= 0) {
      this.#events.push({
        type: 'switch',
        monotonicMs: at(ms),
        mediaType: 'video',
        fromRung: this.#rung,
        toRung: shown,
        fromBitrateBps: bitrateBps(this.#rung),
        toBitrateBps: bitrateBps(shown),
      });
    }
    this.#rung = shown;
    if (this.bufferMs > 0) return;
    this.#isPlaying = false;
    this.#stalledAtMs = ms;
    this.#events.push({ type: 'stall', monotonicMs: at(ms), phase: 'start' });
  }
}
