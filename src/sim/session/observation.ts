import type { BrainObservation } from '../../brain';
import type { MediaType } from '../../core';
import { nextBytes, type Medium } from './medium';
import type { Playback } from './playback';

/** Segments whose sizes are told ahead. */
export const LOOK_AHEAD = 5;

export interface Observed {
  nowMs: number;
  trigger: BrainObservation['trigger'];
  mediaType: MediaType | undefined;
  media: readonly Medium[];
  playback: Playback;
  bufferTargetMs: number;
  segmentMs: number;
}

/** What a player would tell the brain at this moment. */
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
        : [
            {
              requestId: inFlight.exchange.id,
              mediaType: type,
              rung: inFlight.rung,
              startMs: inFlight.exchange.startMs,
              bytesLoaded: inFlight.exchange.bytesLoaded,
              bytesTotal: inFlight.exchange.bytesTotal,
              durationMs: segmentMs,
            },
          ],
    ),
    nextSegments: perMedia((medium) => nextBytes(medium, LOOK_AHEAD)),
    segmentDurationMs: perMedia(() => segmentMs),
    control: 'all',
  };
}
