import { QuantileSketch, type Ladder } from '../core';
import type { PlayerEvent, StallEvent, StartupEvent, SwitchEvent } from '../session-log';
import { percentileShares } from './download-times';
import type { SessionSummary } from './summary-types';

/** A time-weighted sum. */
interface Weighted {
  sum: number;
  ms: number;
}

const meanOf = ({ sum, ms }: Weighted): number | null => (ms > 0 ? sum / ms : null);

type PlaybackKeys =
  | 'averageBitrateBps'
  | 'averageAudioBitrateBps'
  | 'topBitrateBps'
  | 'switches'
  | 'switchMagnitudeBps'
  | 'audioSwitches'
  | 'stalls'
  | 'startupDelayMs'
  | 'bufferMs'
  | 'liveLatencyMs'
  | 'playedMs'
  | 'outageRatio'
  | 'decodedFrames'
  | 'droppedFrames';

/** Accumulates the player's events. Mutable, one per session. */
export class PlaybackSummary {
  #previous: PlayerEvent | undefined;
  #startupDelayMs: number | null = null;
  #playedMs = 0;
  readonly #video: Weighted = { sum: 0, ms: 0 };
  readonly #audio: Weighted = { sum: 0, ms: 0 };
  readonly #buffer: Weighted = { sum: 0, ms: 0 };
  #bufferMin: number | null = null;
  readonly #latency: Weighted = { sum: 0, ms: 0 };
  /** One a player event, and those come at a constant rate. */
  readonly #latenciesMs = new QuantileSketch();
  /** Bit rate over wall time since the previous player event. Switches occur between such events. */
  #bitrateNow = 0;
  #bitrateMarkMs = 0;
  #bitrateSum = 0;
  #switches = 0;
  #switchMagnitudeBps = 0;
  #audioSwitches = 0;
  #stallCount = 0;
  #stallMs = 0;
  #stallSinceMs: number | undefined;
  #decodedFrames = 0;
  #droppedFrames = 0;
  #durationMs: number | undefined;
  #ladder: Ladder | undefined;
  /** Of all periods so far. */
  #top: number | undefined;

  setMedia(ladders: readonly Ladder[], durationMs: number | undefined): void {
    this.#ladder = ladders.find((one) => one.mediaType === 'video') ?? this.#ladder;
    this.#durationMs = durationMs;
    for (const { bitrateBps } of this.#ladder?.rungs ?? []) {
      this.#top = Math.max(this.#top ?? 0, bitrateBps);
    }
  }

  bitrateOf(rung: number | undefined): number | undefined {
    return rung === undefined ? undefined : this.#ladder?.rungs[rung]?.bitrateBps;
  }

  addStartup(event: StartupEvent): void {
    this.#startupDelayMs ??= event.startupDelayMs;
  }

  addSwitch(event: SwitchEvent): void {
    // The first rendered rung is not a switch.
    if (!(event.fromBitrateBps > 0)) return;
    if (event.mediaType === 'audio') {
      this.#audioSwitches += 1;
      return;
    }
    this.#switches += 1;
    this.#switchMagnitudeBps += Math.abs(event.toBitrateBps - event.fromBitrateBps);
    this.#markBitrate(event.monotonicMs, event.toBitrateBps);
  }

  addStall(event: StallEvent): void {
    if (event.phase === 'start') {
      if (this.#stallSinceMs === undefined) this.#stallCount += 1;
      this.#stallSinceMs ??= event.monotonicMs;
      return;
    }
    // An end alone is a stall too: the beginning of the log may be missing.
    if (this.#stallSinceMs === undefined) this.#stallCount += 1;
    const sinceMs = this.#stallSinceMs ?? event.monotonicMs;
    this.#stallMs += event.durationMs ?? Math.max(0, event.monotonicMs - sinceMs);
    this.#stallSinceMs = undefined;
  }

  addPlayer(event: PlayerEvent): void {
    const previous = this.#previous;
    if (previous) this.#addStretch(previous, event);
    this.#previous = event;
    this.#decodedFrames = Math.max(this.#decodedFrames, event.decodedFrames);
    this.#droppedFrames = Math.max(this.#droppedFrames, event.droppedFrames);
    this.#bitrateSum = 0;
    this.#bitrateMarkMs = event.monotonicMs;
    this.#bitrateNow = event.bitrateBps;
    const started = this.#startupDelayMs !== null || event.positionMs > 0;
    if (started && !this.#draining(event)) {
      this.#bufferMin = Math.min(this.#bufferMin ?? Infinity, event.bufferMs);
    }
  }

  #addStretch(from: PlayerEvent, to: PlayerEvent): void {
    const wallMs = to.monotonicMs - from.monotonicMs;
    if (!(wallMs > 0)) return;
    this.#markBitrate(to.monotonicMs, to.bitrateBps);
    // In seeks the position moves without the clock. In stalls and pauses the clock moves without the
    // position.
    const movedMs = to.positionMs - from.positionMs;
    const playedMs = from.playing || to.playing ? Math.min(wallMs, Math.max(0, movedMs)) : 0;
    this.#playedMs += playedMs;
    const bitrateBps = this.#bitrateSum / wallMs;
    if (bitrateBps > 0) {
      this.#video.sum += bitrateBps * playedMs;
      this.#video.ms += playedMs;
    }
    if (from.audioBitrateBps !== undefined && from.audioBitrateBps > 0) {
      this.#audio.sum += from.audioBitrateBps * playedMs;
      this.#audio.ms += playedMs;
    }
    if (from.liveLatencyMs !== undefined && playedMs > 0) {
      this.#latency.sum += from.liveLatencyMs * wallMs;
      this.#latency.ms += wallMs;
      this.#latenciesMs.add(from.liveLatencyMs);
    }
    const started = this.#startupDelayMs !== null || from.positionMs > 0;
    if (started && !this.#draining(from)) {
      this.#buffer.sum += from.bufferMs * wallMs;
      this.#buffer.ms += wallMs;
    }
  }

  /** Everything to the end of the stream is in the buffer: its decrease does not depend on the network. */
  #draining(event: PlayerEvent): boolean {
    return (
      this.#durationMs !== undefined && event.positionMs + event.bufferMs >= this.#durationMs - 500
    );
  }

  #markBitrate(atMs: number, bitrateBps: number): void {
    // Without a rendered rung at the last mark, the time belongs to the next rung.
    const shownBps = this.#bitrateNow > 0 ? this.#bitrateNow : bitrateBps;
    this.#bitrateSum += shownBps * Math.max(0, atMs - this.#bitrateMarkMs);
    this.#bitrateMarkMs = Math.max(this.#bitrateMarkMs, atMs);
    this.#bitrateNow = bitrateBps;
  }

  /** Numbers that it keeps. */
  get size(): number {
    return this.#latenciesMs.size;
  }

  finish(lastMs: number): Pick<SessionSummary, PlaybackKeys> {
    const openMs = this.#stallSinceMs === undefined ? 0 : Math.max(0, lastMs - this.#stallSinceMs);
    const totalMs = this.#stallMs + openMs;
    const latencyMs = meanOf(this.#latency);
    return {
      averageBitrateBps: meanOf(this.#video) ?? 0,
      averageAudioBitrateBps: meanOf(this.#audio),
      topBitrateBps: this.#top ?? null,
      switches: this.#switches,
      switchMagnitudeBps: this.#switchMagnitudeBps,
      audioSwitches: this.#audioSwitches,
      stalls: { count: this.#stallCount, totalMs },
      startupDelayMs: this.#startupDelayMs,
      bufferMs: { mean: meanOf(this.#buffer), min: this.#bufferMin },
      liveLatencyMs:
        latencyMs === null
          ? null
          : { mean: latencyMs, percentiles: this.#latenciesMs.quantiles(percentileShares) },
      playedMs: this.#playedMs,
      outageRatio: totalMs > 0 ? totalMs / (totalMs + this.#playedMs) : 0,
      decodedFrames: this.#decodedFrames,
      droppedFrames: this.#droppedFrames,
    };
  }
}
