import type { Representation } from 'dashjs';
import { keepNewest } from '../../core';
import { finite, isMediaType, periodIdOf, type DashRequest } from '../dashjs/dash-types';

/** The part of dash.js's handler of one media type in one period that looks ahead. */
export interface LookAhead {
  getType(): string;
  getStreamId(): string;
  /** The next request, without a step to it. */
  getNextSegmentRequestIdempotent(
    mediaInfo: unknown,
    representation: Representation,
  ): DashRequest | null | undefined;
}

/** A segment begins where the one before it ends, apart from rounding. */
const ROUNDING_SECONDS = 0.1;

/** Handlers to keep: two types in the present period and in a few that dash.js prepares. A live stream may have thousands. */
const MAX_HANDLERS = 16;

/** The requests that dash.js makes after those in flight, if it keeps the rung. */
export class NextRequests {
  readonly #byType = new Map<string, LookAhead>();

  add(handler: LookAhead): void {
    const key = `${handler.getStreamId()} ${handler.getType()}`;
    keepNewest(this.#byType, key, handler, MAX_HANDLERS);
  }

  /** The segment after this one; undefined if dash.js knows none, or has moved to another place. */
  after(request: DashRequest): DashRequest | undefined {
    const next = this.of(request);
    const endSeconds = (finite(request.startTime) ?? NaN) + (finite(request.duration) ?? NaN);
    const gapSeconds = (finite(next?.startTime) ?? NaN) - endSeconds;
    return Math.abs(gapSeconds) <= ROUNDING_SECONDS ? next : undefined;
  }

  /** The next segment of a request's representation; undefined if dash.js knows none. */
  of({ representation, mediaType }: DashRequest): DashRequest | undefined {
    if (!representation || !isMediaType(mediaType)) return undefined;
    const handler = this.#byType.get(`${periodIdOf(representation)} ${mediaType}`);
    return handler?.getNextSegmentRequestIdempotent(null, representation) ?? undefined;
  }
}
