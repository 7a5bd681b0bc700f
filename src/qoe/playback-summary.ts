import type { Ladder } from '../core';
import type { PlayerEvent, StallEvent, StartupEvent, SwitchEvent } from './events';
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
  | 'playedMs'
  | 'outageRatio'
  | 'decodedFrames'
  | 'droppedFrames';

/** Gathers what the player tells; mutable, one per session. */
export class PlaybackSummary {
  private previous: PlayerEvent | undefined;
  private startupDelayMs: number | null = null;
  private playedMs = 0;
  private readonly video: Weighted = { sum: 0, ms: 0 };
  private readonly audio: Weighted = { sum: 0, ms: 0 };
  private readonly buffer: Weighted = { sum: 0, ms: 0 };
  private bufferMin: number | null = null;
  /** Bit rate over wall time since the player event before; switches fall between such events. */
  private bitrateNow = 0;
  private bitrateMarkMs = 0;
  private bitrateSum = 0;
  private switches = 0;
  private switchMagnitudeBps = 0;
  private audioSwitches = 0;
  private stallCount = 0;
  private stallMs = 0;
  private stallSinceMs: number | undefined;
  private decodedFrames = 0;
  private droppedFrames = 0;
  private durationMs: number | undefined;
  private ladder: Ladder | undefined;

  setMedia(ladders: readonly Ladder[], durationMs: number | undefined): void {
    this.ladder = ladders.find((one) => one.mediaType === 'video') ?? this.ladder;
    this.durationMs = durationMs;
  }

  bitrateOf(rung: number): number | undefined {
    return this.ladder?.rungs[rung]?.bitrateBps;
  }

  topBitrateBps(): number | undefined {
    const rates = this.ladder?.rungs.map((rung) => rung.bitrateBps) ?? [];
    return rates.length > 0 ? Math.max(...rates) : undefined;
  }

  addStartup(event: StartupEvent): void {
    this.startupDelayMs ??= event.startupDelayMs;
  }

  addSwitch(event: SwitchEvent): void {
    // The first rung on screen is no switch.
    if (!(event.fromBitrateBps > 0)) return;
    if (event.mediaType === 'audio') {
      this.audioSwitches += 1;
      return;
    }
    this.switches += 1;
    this.switchMagnitudeBps += Math.abs(event.toBitrateBps - event.fromBitrateBps);
    this.markBitrate(event.monotonicMs, event.toBitrateBps);
  }

  addStall(event: StallEvent): void {
    if (event.phase === 'start') {
      if (this.stallSinceMs === undefined) this.stallCount += 1;
      this.stallSinceMs ??= event.monotonicMs;
      return;
    }
    // An end alone is a stall too: the log may have been cut in at the front.
    if (this.stallSinceMs === undefined) this.stallCount += 1;
    const sinceMs = this.stallSinceMs ?? event.monotonicMs;
    this.stallMs += event.durationMs ?? Math.max(0, event.monotonicMs - sinceMs);
    this.stallSinceMs = undefined;
  }

  addPlayer(event: PlayerEvent): void {
    const { previous } = this;
    if (previous) this.addStretch(previous, event);
    this.previous = event;
    this.decodedFrames = Math.max(this.decodedFrames, event.decodedFrames);
    this.droppedFrames = Math.max(this.droppedFrames, event.droppedFrames);
    this.bitrateSum = 0;
    this.bitrateMarkMs = event.monotonicMs;
    this.bitrateNow = event.bitrateBps;
    const started = this.startupDelayMs !== null || event.positionMs > 0;
    if (started && !this.draining(event)) {
      this.bufferMin = Math.min(this.bufferMin ?? Infinity, event.bufferMs);
    }
  }

  private addStretch(from: PlayerEvent, to: PlayerEvent): void {
    const wallMs = to.monotonicMs - from.monotonicMs;
    if (!(wallMs > 0)) return;
    this.markBitrate(to.monotonicMs, to.bitrateBps);
    // Position moves without the clock in seeks; the clock moves without the position in stalls and pauses.
    const movedMs = to.positionMs - from.positionMs;
    const playedMs = from.playing || to.playing ? Math.min(wallMs, Math.max(0, movedMs)) : 0;
    this.playedMs += playedMs;
    const bitrateBps = this.bitrateSum / wallMs;
    if (bitrateBps > 0) {
      this.video.sum += bitrateBps * playedMs;
      this.video.ms += playedMs;
    }
    if (from.audioBitrateBps !== undefined && from.audioBitrateBps > 0) {
      this.audio.sum += from.audioBitrateBps * playedMs;
      this.audio.ms += playedMs;
    }
    const started = this.startupDelayMs !== null || from.positionMs > 0;
    if (started && !this.draining(from)) {
      this.buffer.sum += from.bufferMs * wallMs;
      this.buffer.ms += wallMs;
    }
  }

  /** Everything to the end of the stream is in the buffer: its fall says nothing of the network. */
  private draining(event: PlayerEvent): boolean {
    return (
      this.durationMs !== undefined && event.positionMs + event.bufferMs >= this.durationMs - 500
    );
  }

  private markBitrate(atMs: number, bitrateBps: number): void {
    // Nothing rendered yet at the last mark: the time belongs to the rung that came.
    const shownBps = this.bitrateNow > 0 ? this.bitrateNow : bitrateBps;
    this.bitrateSum += shownBps * Math.max(0, atMs - this.bitrateMarkMs);
    this.bitrateMarkMs = Math.max(this.bitrateMarkMs, atMs);
    this.bitrateNow = bitrateBps;
  }

  finish(lastMs: number): Pick<SessionSummary, PlaybackKeys> {
    const openMs = this.stallSinceMs === undefined ? 0 : Math.max(0, lastMs - this.stallSinceMs);
    const totalMs = this.stallMs + openMs;
    return {
      averageBitrateBps: meanOf(this.video) ?? 0,
      averageAudioBitrateBps: meanOf(this.audio),
      topBitrateBps: this.topBitrateBps() ?? null,
      switches: this.switches,
      switchMagnitudeBps: this.switchMagnitudeBps,
      audioSwitches: this.audioSwitches,
      stalls: { count: this.stallCount, totalMs },
      startupDelayMs: this.startupDelayMs,
      bufferMs: { mean: meanOf(this.buffer), min: this.bufferMin },
      playedMs: this.playedMs,
      outageRatio: totalMs > 0 ? totalMs / (totalMs + this.playedMs) : 0,
      decodedFrames: this.decodedFrames,
      droppedFrames: this.droppedFrames,
    };
  }
}
