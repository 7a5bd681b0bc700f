import type { BrainDecision } from '../../brain';
import type { LogEvent } from '../../session-log';
import type { CarriedRequest } from './carriage';
import type { Medium, SegmentPlace } from './medium';
import type { Playback } from './playback';

export interface FinishedExchange {
  kind: 'manifest' | 'init' | 'media';
  endMs: number;
  medium: Medium | undefined;
  at: SegmentPlace | undefined;
  outcome: 'ok' | 'abandoned';
}

/** The log of a simulated session, in the schema of real ones. */
export class SimulatedLog {
  readonly events: LogEvent[] = [];
  readonly #segmentMs: number;
  /** Rung of each fetched video segment. */
  readonly #fetched = new Map<number, number>();
  #shownRung = -1;

  constructor(segmentMs: number) {
    this.#segmentMs = segmentMs;
  }

  write(event: LogEvent): void {
    this.events.push(event);
  }

  begin(nowMs: number, settings: Record<string, unknown>): void {
    this.write({
      type: 'config',
      schemaVersion: 1,
      monotonicMs: nowMs,
      startedAt: '1970-01-01T00:00:00.000Z',
      player: 'multipath-dash simulator',
      playerVersion: '0',
      settings: { simulated: true, ...settings },
    });
  }

  manifest(nowMs: number, media: readonly Medium[]): void {
    const ladders = media.map(({ ladder }) => ladder);
    this.write({
      type: 'manifest',
      monotonicMs: nowMs,
      url: 'simulated:',
      kind: 'static',
      ladders,
    });
  }

  stall(atMs: number, phase: 'start' | 'end', durationMs: number): void {
    this.write({
      type: 'stall',
      monotonicMs: atMs,
      phase,
      ...(phase === 'end' ? { durationMs } : {}),
    });
  }

  /** The decision before a segment of a medium. */
  decision(decision: BrainDecision, { type, rung }: Medium, bufferMs: number): void {
    this.write({
      type: 'decision',
      monotonicMs: decision.monotonicMs,
      kind: 'select',
      rule: 'multipath',
      mediaType: type,
      fromRung: rung,
      toRung: decision.rungs[type] ?? -1,
      bufferMs,
      forecast: decision.forecast,
      reason: `${decision.reason} | ${decision.pathReason}`,
    });
  }

  request(exchange: CarriedRequest, { kind, endMs, medium, at, outcome }: FinishedExchange): void {
    const { id, startMs, firstByteMs, bytesLoaded } = exchange;
    if (medium?.type === 'video' && at !== undefined && outcome === 'ok') {
      this.#fetched.set(at.segment, at.rung);
    }
    this.write({
      type: 'request',
      monotonicMs: endMs,
      requestId: id,
      kind,
      ...(medium === undefined ? {} : { mediaType: medium.type }),
      url: 'simulated:',
      ...(at === undefined || medium === undefined
        ? {}
        : {
            rung: at.rung,
            bitrateBps: medium.ladder.rungs[at.rung]?.bitrateBps,
            segmentIndex: at.segment,
            mediaStartMs: at.segment * this.#segmentMs,
            mediaDurationMs: this.#segmentMs,
          }),
      startMs,
      ...(firstByteMs === undefined ? {} : { firstByteMs }),
      endMs,
      bytes: bytesLoaded,
      status: outcome === 'ok' ? 200 : 0,
      outcome,
    });
  }

  /** State of the player. The rendered rung follows from the playhead. */
  recordState(nowMs: number, media: readonly Medium[], playback: Playback): void {
    const rungs = media[0]?.ladder.rungs ?? [];
    const segment = Math.floor(playback.positionMs / this.#segmentMs);
    const rung = this.#fetched.get(segment) ?? this.#shownRung;
    const bitrateOf = (index: number): number => rungs[index]?.bitrateBps ?? 0;
    if (playback.started && rung !== this.#shownRung) {
      if (this.#shownRung >= 0) {
        this.write({
          type: 'switch',
          monotonicMs: nowMs,
          mediaType: 'video',
          fromRung: this.#shownRung,
          toRung: rung,
          fromBitrateBps: bitrateOf(this.#shownRung),
          toBitrateBps: bitrateOf(rung),
        });
      }
      this.#shownRung = rung;
    }
    const levels = media.map(({ type }) => playback.bufferMs(type));
    const audio = media.findIndex(({ type }) => type === 'audio');
    this.write({
      type: 'player',
      monotonicMs: nowMs,
      positionMs: playback.positionMs,
      bufferMs: Math.min(...levels),
      videoBufferMs: levels[0],
      ...(audio < 0 ? {} : { audioBufferMs: levels[audio] }),
      playing: playback.playing,
      rung: this.#shownRung,
      bitrateBps: bitrateOf(this.#shownRung),
      decodedFrames: 0,
      droppedFrames: 0,
    });
  }
}
