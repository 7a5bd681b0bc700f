import { QuantileSketch, type Ladder } from '../core';
import type { EndEvent, PlayerEvent, StallEvent, StartupEvent, SwitchEvent } from '../session-log';
import { percentileShares } from './download-times';
import { ShownBitrate } from './shown-bitrate';
import { StallTime } from './stall-time';
import type { SessionSummary } from './summary-types';

class WeightedMean {
  #sum = 0;
  #ms = 0;

  add(value: number, ms: number): void {
    this.#sum += value * ms;
    this.#ms += ms;
  }

  get value(): number | null {
    return this.#ms > 0 ? this.#sum / this.#ms : null;
  }
}

interface Media {
  ladder?: Ladder | undefined;
  durationMs?: number | undefined;
  /** Highest bit rate of all periods so far. */
  topBitrateBps?: number | undefined;
}

/** Media within this time of the stream's end counts as all of it: durations in manifests are rounded. Chosen; no measurement. */
const END_TOLERANCE_MS = 500;

/**
 * Longest playback after the last player event that counts. The player writes one every 250 ms, and they reach the log
 * with a delay: a session that is ended from outside lacks the last of them. Chosen; no measurement.
 */
const MAX_TAIL_MS = 300;

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
  readonly #video = new WeightedMean();
  readonly #audio = new WeightedMean();
  readonly #buffer = new WeightedMean();
  readonly #latency = new WeightedMean();
  #bufferMin: number | null = null;
  /** One value a player event; those come at a constant rate. */
  readonly #latenciesMs = new QuantileSketch();
  readonly #shown = new ShownBitrate();
  readonly #stalls = new StallTime();
  readonly #switches = { video: 0, audio: 0, magnitudeBps: 0 };
  readonly #frames = { decoded: 0, dropped: 0 };
  readonly #media: Media = {};

  setMedia(ladders: readonly Ladder[], durationMs: number | undefined): void {
    const media = this.#media;
    media.ladder = ladders.find((one) => one.mediaType === 'video') ?? media.ladder;
    media.durationMs = durationMs;
    for (const { bitrateBps } of media.ladder?.rungs ?? []) {
      media.topBitrateBps = Math.max(media.topBitrateBps ?? 0, bitrateBps);
    }
  }

  bitrateOf(rung: number | undefined): number | undefined {
    return rung === undefined ? undefined : this.#media.ladder?.rungs[rung]?.bitrateBps;
  }

  addStartup(event: StartupEvent): void {
    this.#startupDelayMs ??= event.startupDelayMs;
  }

  addSwitch(event: SwitchEvent): void {
    // The first rendered rung is not a switch.
    if (!(event.fromBitrateBps > 0)) return;
    if (event.mediaType === 'audio') {
      this.#switches.audio += 1;
      return;
    }
    this.#switches.video += 1;
    this.#switches.magnitudeBps += Math.abs(event.toBitrateBps - event.fromBitrateBps);
    this.#shown.mark(event.monotonicMs, event.toBitrateBps);
  }

  addStall(event: StallEvent): void {
    this.#stalls.add(event);
  }

  addPlayer(event: PlayerEvent): void {
    const previous = this.#previous;
    if (previous) this.#addStretch(previous, event);
    this.#previous = event;
    const frames = this.#frames;
    frames.decoded = Math.max(frames.decoded, event.decodedFrames);
    frames.dropped = Math.max(frames.dropped, event.droppedFrames);
    this.#shown.restart(event.monotonicMs, event.bitrateBps);
    if (this.#countsBuffer(event)) {
      this.#bufferMin = Math.min(this.#bufferMin ?? Infinity, event.bufferMs);
    }
  }

  /**
   * The session ends. A picture that moved in the last player event moved on, as far as its buffer reached.
   * @returns the position at the end; undefined if there was none
   */
  addEnd({ monotonicMs, reason }: EndEvent): number | undefined {
    const last = this.#previous;
    // A failed player may have stood still since then.
    if (!last?.playing || this.#stalls.open || reason === 'failed') return last?.positionMs;
    const tailMs = Math.min(monotonicMs - last.monotonicMs, MAX_TAIL_MS, last.bufferMs);
    if (!(tailMs > 0)) return last.positionMs;
    const positionMs = last.positionMs + tailMs;
    this.addPlayer({ ...last, monotonicMs: last.monotonicMs + tailMs, positionMs });
    return positionMs;
  }

  #addStretch(from: PlayerEvent, to: PlayerEvent): void {
    const wallMs = to.monotonicMs - from.monotonicMs;
    if (!(wallMs > 0)) return;
    this.#shown.mark(to.monotonicMs, to.bitrateBps);
    // In seeks the position moves without the clock. In stalls and pauses the clock moves without the
    // position.
    const movedMs = to.positionMs - from.positionMs;
    const playedMs = from.playing || to.playing ? Math.min(wallMs, Math.max(0, movedMs)) : 0;
    this.#playedMs += playedMs;
    const bitrateBps = this.#shown.over(wallMs);
    if (bitrateBps > 0) this.#video.add(bitrateBps, playedMs);
    const { audioBitrateBps, liveLatencyMs } = from;
    if (audioBitrateBps !== undefined && audioBitrateBps > 0) {
      this.#audio.add(audioBitrateBps, playedMs);
    }
    if (liveLatencyMs !== undefined && playedMs > 0) {
      this.#latency.add(liveLatencyMs, wallMs);
      this.#latenciesMs.add(liveLatencyMs);
    }
    if (this.#countsBuffer(from)) this.#buffer.add(from.bufferMs, wallMs);
  }

  /** False before the start, and once the buffer holds the rest of the stream: no network decides then. */
  #countsBuffer({ positionMs, bufferMs }: PlayerEvent): boolean {
    const { durationMs } = this.#media;
    const isDraining =
      durationMs !== undefined && positionMs + bufferMs >= durationMs - END_TOLERANCE_MS;
    return (this.#startupDelayMs !== null || positionMs > 0) && !isDraining;
  }

  /** Numbers that it keeps. */
  get size(): number {
    return this.#latenciesMs.size;
  }

  finish(lastMs: number): Pick<SessionSummary, PlaybackKeys> {
    const stalls = this.#stalls.finish(lastMs);
    const latencyMs = this.#latency.value;
    return {
      averageBitrateBps: this.#video.value ?? 0,
      averageAudioBitrateBps: this.#audio.value,
      topBitrateBps: this.#media.topBitrateBps ?? null,
      switches: this.#switches.video,
      switchMagnitudeBps: this.#switches.magnitudeBps,
      audioSwitches: this.#switches.audio,
      stalls,
      startupDelayMs: this.#startupDelayMs,
      bufferMs: { mean: this.#buffer.value, min: this.#bufferMin },
      liveLatencyMs:
        latencyMs === null
          ? null
          : { mean: latencyMs, percentiles: this.#latenciesMs.quantiles(percentileShares) },
      playedMs: this.#playedMs,
      outageRatio: stalls.totalMs > 0 ? stalls.totalMs / (stalls.totalMs + this.#playedMs) : 0,
      decodedFrames: this.#frames.decoded,
      droppedFrames: this.#frames.dropped,
    };
  }
}
