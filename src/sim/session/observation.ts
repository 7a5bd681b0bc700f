import type { BrainInput, BrainObservation } from '../../brain';
import type { MediaType } from '../../core';
import type { ReferenceObservation } from '../../abr';
import type { CarriedRequest } from './carriage';
import { nextBytes, type Medium } from './medium';
import type { Playback } from './playback';

/** Segments ahead with reported sizes. */
const LOOK_AHEAD = 5;

export interface ObservedPlayer {
  media: readonly Medium[];
  playback: Playback;
  bufferTargetMs: number;
  segmentMs: number;
}

export interface Observed extends ObservedPlayer {
  nowMs: number;
  trigger: BrainObservation['trigger'];
  mediaType: MediaType | undefined;
}

/** Media above the buffer's target once the request in flight has arrived; negative: room. */
export function overTargetMs(
  { type, inFlight }: Medium,
  { playback, bufferTargetMs, segmentMs }: ObservedPlayer,
): number {
  const arrivingMs = inFlight === undefined ? 0 : segmentMs;
  return playback.bufferMs(type) + arrivingMs - bufferTargetMs;
}

/** Input of a reference rule before it chooses the next segment of a medium. */
export function observeMedium(
  medium: Medium,
  { playback, bufferTargetMs, segmentMs }: ObservedPlayer,
  throughputBps: readonly number[],
): ReferenceObservation {
  return {
    ladder: medium.ladder,
    currentRung: medium.rung,
    bufferMs: playback.bufferMs(medium.type),
    bufferTargetMs,
    segmentMs,
    throughputBps,
    nextBytes: nextBytes(medium, LOOK_AHEAD),
  };
}

/** The observation that a player would give the brain at this moment. */
export function observeSession(observed: Observed): BrainObservation {
  const { nowMs, trigger, mediaType, media, playback, bufferTargetMs, segmentMs } = observed;
  const perMedia = <T>(value: (medium: Medium) => T): Partial<Record<MediaType, T>> =>
    Object.fromEntries(media.map((medium) => [medium.type, value(medium)]));
  return {
    monotonicMs: nowMs,
    trigger,
    ...(mediaType === undefined ? {} : { mediaType }),
    ladders: media.map(({ ladder }) => ladder),
    currentRung: perMedia(({ rung }) => rung),
    bufferMs: perMedia(({ type }) => playback.bufferMs(type)),
    bufferTargetMs,
    playing: playback.playing,
    requests: media.flatMap(({ type, inFlight }) =>
      inFlight === undefined
        ? []
        : {
            requestId: inFlight.exchange.id,
            mediaType: type,
            rung: inFlight.rung,
            startMs: inFlight.exchange.startMs,
            bytesLoaded: inFlight.exchange.bytesLoaded,
            bytesTotal: inFlight.exchange.bytesTotal,
            durationMs: segmentMs,
          },
    ),
    nextSegments: perMedia((medium) => nextBytes(medium, LOOK_AHEAD)),
    segmentDurationMs: perMedia(() => segmentMs),
    control: 'all',
  };
}

/** The report of an ended request to the brain. @param mediaType absent: not a media segment */
export function requestEnd(
  { id, startMs, firstByteMs, bytesLoaded, earlyBytes }: CarriedRequest,
  end: { endMs: number; mediaType: MediaType | undefined; outcome: 'ok' | 'abandoned' },
): BrainInput & { type: 'request-end' } {
  const { endMs, mediaType, outcome } = end;
  return {
    type: 'request-end',
    request: {
      requestId: id,
      ...(mediaType === undefined ? {} : { mediaType }),
      startMs,
      ...(firstByteMs === undefined ? {} : { firstByteMs }),
      endMs,
      bytes: bytesLoaded,
      ...(earlyBytes === undefined ? {} : { earlyBytes }),
      outcome,
    },
  };
}
