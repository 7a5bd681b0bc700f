import { type Ladder, type MediaType, MEDIA_TYPES } from '../../core';
import type { RequestEvent } from '../../session-log';
import type { NewEvent } from '../session/session';
import { Rendered } from '../shaka/rendered';

/** The rungs on screen, derived from the arrived segments and the playhead. */
export class Screen {
  readonly #rendered: Record<MediaType, Rendered> = {
    video: new Rendered(),
    audio: new Rendered(),
  };
  readonly #ladder: (mediaType: MediaType) => Ladder | undefined;

  constructor(ladder: (mediaType: MediaType) => Ladder | undefined) {
    this.#ladder = ladder;
  }

  arrived(event: Omit<RequestEvent, 'type' | 'monotonicMs' | 'requestId'>): void {
    const { kind, mediaType, mediaStartMs, mediaDurationMs = 0, outcome, rung = -1 } = event;
    if (kind !== 'media' || outcome !== 'ok' || !mediaType || mediaStartMs === undefined) return;
    const endMs = mediaStartMs + mediaDurationMs;
    this.#rendered[mediaType].fetched({ startMs: mediaStartMs, endMs, rung });
  }

  /** Switches that the playhead has reached. */
  moved(positionMs: number): (NewEvent & { type: 'switch' })[] {
    return MEDIA_TYPES.flatMap((mediaType) => {
      const change = this.#rendered[mediaType].moved(positionMs);
      if (!change) return [];
      return [
        {
          type: 'switch' as const,
          mediaType,
          fromRung: change.from,
          toRung: change.to,
          fromBitrateBps: this.#bitrateAt(mediaType, change.from),
          toBitrateBps: this.#bitrateAt(mediaType, change.to),
        },
      ];
    });
  }

  rung(mediaType: MediaType): number {
    return this.#rendered[mediaType].rung;
  }

  bitrateBps(mediaType: MediaType): number {
    return this.#bitrateAt(mediaType, this.rung(mediaType));
  }

  #bitrateAt(mediaType: MediaType, rung: number): number {
    return this.#ladder(mediaType)?.rungs[rung]?.bitrateBps ?? 0;
  }
}
