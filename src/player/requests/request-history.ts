import type { Representation } from 'dashjs';
import { requestRateBps, type MediaType } from '../../core';
import type { RequestEvent } from '../../session-log';
import { RequestType, finite, isMediaType, type DashRequest } from '../dashjs/dash-types';
import { SegmentSizes } from './segment-sizes';

/** Throughputs that are kept: a reference rule reads five, and the errors of the five forecasts before. */
const THROUGHPUTS = 10;

/** The newest request for a segment. */
interface Asked {
  representationId: string;
  /** Media time at which the next segment begins. */
  endMs: number;
}

/** The knowledge that the requests of this session leave: newest request, sizes, throughputs. */
export class RequestHistory {
  readonly #asked = new Map<MediaType, Asked>();
  readonly #sizes = new SegmentSizes();
  #throughputBps: readonly number[] = [];

  /** Throughputs of the last video segments, request to last byte, oldest first. */
  get throughputBps(): readonly number[] {
    return this.#throughputBps;
  }

  /** The newest request for a segment. */
  asked(mediaType: MediaType): Asked | undefined {
    return this.#asked.get(mediaType);
  }

  /** A request was sent. */
  started(request: DashRequest): void {
    const { mediaType } = request;
    const startMs = finite(request.startTime);
    const representationId = request.representation?.id;
    if (request.type !== RequestType.media || !isMediaType(mediaType)) return;
    if (startMs === undefined || representationId === undefined) return;
    const durationMs = (finite(request.duration) ?? 0) * 1000;
    this.#asked.set(mediaType, { representationId, endMs: startMs * 1000 + durationMs });
  }

  /** A request ended. */
  ended(event: Omit<RequestEvent, 'monotonicMs'>, representationId: string | undefined): void {
    const { mediaType, mediaStartMs } = event;
    if (event.kind !== 'media' || event.outcome !== 'ok' || !mediaType) return;
    if (mediaType === 'video') {
      const rateBps = requestRateBps(event) ?? [];
      this.#throughputBps = this.#throughputBps.concat(rateBps).slice(-THROUGHPUTS);
    }
    if (mediaStartMs === undefined || representationId === undefined) return;
    this.#sizes.arrived({
      mediaType,
      representationId,
      startMs: mediaStartMs,
      bytes: event.bytes,
    });
  }

  /** The size of a segment, where it is known before its answer. */
  exactBytes(request: DashRequest): number | undefined {
    const startMs = finite(request.startTime);
    if (!isMediaType(request.mediaType) || !request.representation || startMs === undefined) {
      return undefined;
    }
    return this.#sizes.exact(request.mediaType, request.representation, startMs * 1000);
  }

  /** Sizes of the segments from a media time on, of each representation; undefined where unknown. */
  next(
    mediaType: MediaType,
    representations: readonly Representation[],
    fromMs: number,
    count: number,
  ): (number | undefined)[][] {
    return this.#sizes.next(mediaType, representations, fromMs, count);
  }
}
