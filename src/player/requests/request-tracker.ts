import type { MediaType } from '../../core';
import type { Clock } from '../../ports';
import type { RequestEvent } from '../../session-log';
import type { RungOf } from '../dashjs/ladders';
import {
  RequestType,
  finite,
  isMediaType,
  isStreamed,
  type DashRequest,
} from '../dashjs/dash-types';

/** One HTTP exchange in flight. */
export interface RequestInFlight {
  requestId: number;
  kind: RequestEvent['kind'];
  mediaType: MediaType | undefined;
  /** -1 if it belongs to no rung. */
  rung: number;
  startMs: number;
  firstByteMs: number | undefined;
  bytesLoaded: number;
  bytesTotal: number | undefined;
  /** Its chunks are appended on arrival. */
  streamed: boolean;
  request: DashRequest;
}

/** The outcome of one exchange. */
export interface ExchangeEnding {
  status: number;
  /** Bytes of the body; undefined without a body. */
  bytes: number | undefined;
  url: string | undefined;
  /** The part of the body that had arrived before the request. */
  earlyBytes?: number | undefined;
  /** The defect of an answer with a good status. */
  defect: string | undefined;
}

interface Attempt {
  requestId: number;
  request: DashRequest;
  startMs: number;
  /** Local wall clock at the start; dash.js stamps progress with it. */
  startWallMs: number;
  abandoned: boolean;
  /** Appended in chunks, which no progress event of dash.js counts. */
  streamedBytes: number;
  firstChunkMs: number | undefined;
}

export interface RequestTrackerOptions {
  clock: Clock;
  wallNowMs: () => number;
  rungOf: RungOf;
  emit: (event: Omit<RequestEvent, 'monotonicMs'>, request: DashRequest) => void;
}

/**
 * Follows every HTTP exchange from dash.js's request interceptor to its response interceptor. Retries of one
 * segment share dash.js's request object; each counts as a separate exchange here.
 */
export class RequestTracker {
  readonly #options: RequestTrackerOptions;
  readonly #attempts = new Map<object, Attempt>();
  #nextId = 1;

  constructor(options: RequestTrackerOptions) {
    this.#options = options;
  }

  /** @param key the object that both interceptors receive */
  start(key: object, request: DashRequest): { requestId: number; startMs: number } {
    const requestId = this.#nextId++;
    const startMs = this.#options.clock.nowMs();
    const startWallMs = this.#options.wallNowMs();
    this.#attempts.set(key, {
      requestId,
      request,
      startMs,
      startWallMs,
      abandoned: false,
      streamedBytes: 0,
      firstChunkMs: undefined,
    });
    return { requestId, startMs };
  }

  end(key: object, ending: ExchangeEnding): void {
    const attempt = this.#attempts.get(key);
    if (!attempt) return;
    const endMs = this.#options.clock.nowMs();
    const firstByteMs = this.#firstByteMs(attempt, endMs);
    const finish = (): void => {
      if (this.#attempts.delete(key)) this.#report(attempt, endMs, firstByteMs, ending);
    };
    // dash.js reports an aborted exchange only afterwards, in the same task. An aborted stream of chunks has
    // the status of its headers.
    if (ending.status === 0 || isStreamed(attempt.request)) this.#options.clock.after(0, finish);
    else finish();
  }

  /** A chunk of a low-latency segment was appended. */
  streamed(request: unknown, bytes: number): void {
    for (const attempt of this.#attempts.values()) {
      if (attempt.request !== request) continue;
      attempt.firstChunkMs ??= this.#options.clock.nowMs();
      attempt.streamedBytes += bytes;
    }
  }

  /** dash.js abandoned the request on purpose. */
  abandoned(request: unknown): void {
    for (const attempt of this.#attempts.values()) {
      if (attempt.request === request) attempt.abandoned = true;
    }
  }

  /** Ends the tracking: exchanges in flight are reported as abandoned. */
  finish(): void {
    const endMs = this.#options.clock.nowMs();
    for (const [key, attempt] of [...this.#attempts]) {
      this.#attempts.delete(key);
      attempt.abandoned = true;
      this.#report(attempt, endMs, this.#firstByteMs(attempt, endMs), {
        status: 0,
        bytes: undefined,
        url: undefined,
        defect: undefined,
      });
    }
  }

  inFlight(): RequestInFlight[] {
    const nowMs = this.#options.clock.nowMs();
    return [...this.#attempts.values()].map((attempt) => {
      const { request } = attempt;
      return {
        requestId: attempt.requestId,
        kind: kindOf(request),
        mediaType: mediaTypeOf(request),
        rung: this.#rungOf(request),
        startMs: attempt.startMs,
        firstByteMs: this.#firstByteMs(attempt, nowMs),
        bytesLoaded: loadedBytes(attempt),
        bytesTotal: finite(request.bytesTotal),
        streamed: isStreamed(request),
        request,
      };
    });
  }

  #rungOf(request: DashRequest): number {
    const mediaType = mediaTypeOf(request);
    return mediaType ? this.#options.rungOf(mediaType, request.representation) : -1;
  }

  /**
   * The browser's own timing if the server allows it (Timing-Allow-Origin). Otherwise dash.js's first
   * progress event, which Chromium sends at once for the first byte.
   */
  #firstByteMs(attempt: Attempt, endMs: number): number | undefined {
    const { request, startMs, startWallMs } = attempt;
    const within = (ms: number): number => Math.min(endMs, Math.max(startMs, ms));
    // A streamed segment leaves only one trace, made at its end.
    if (attempt.firstChunkMs !== undefined) return within(attempt.firstChunkMs);
    const timing = request.resourceTimingValues;
    if (timing && timing.responseStart > timing.startTime && timing.startTime > 0) {
      return within(startMs + (timing.responseStart - timing.startTime));
    }
    const first = request.traces?.[0];
    if (!first || first.b[0] === 0) return undefined;
    const wallMs = first.s.getTime() + first.d;
    return wallMs < startWallMs ? undefined : within(startMs + (wallMs - startWallMs));
  }

  #report(
    attempt: Attempt,
    endMs: number,
    firstByteMs: number | undefined,
    ending: ExchangeEnding,
  ): void {
    const { request } = attempt;
    const mediaType = mediaTypeOf(request);
    const kind = kindOf(request);
    const bytes = ending.bytes ?? loadedBytes(attempt);
    const arrived = ending.status >= 200 && ending.status < 300 && ending.defect === undefined;
    const ok = arrived && !attempt.abandoned;
    const error = ok || attempt.abandoned ? undefined : (ending.defect ?? describe(ending.status));
    const { earlyBytes = 0 } = ending;
    const mediaStartMs = finite(request.startTime);
    const mediaDurationMs = finite(request.duration);
    const segmentIndex = finite(request.index);
    const bitrateBps = finite(request.representation?.bandwidth);
    const event: Omit<RequestEvent, 'monotonicMs'> = {
      type: 'request',
      requestId: attempt.requestId,
      kind,
      ...(mediaType ? { mediaType } : {}),
      // dash.js requests an index without its representation.
      ...(mediaType && kind !== 'index' ? { rung: this.#rungOf(request) } : {}),
      ...(bitrateBps === undefined ? {} : { bitrateBps }),
      url: ending.url ?? request.url,
      ...(segmentIndex === undefined ? {} : { segmentIndex: Math.trunc(segmentIndex) }),
      ...(mediaStartMs === undefined ? {} : { mediaStartMs: mediaStartMs * 1000 }),
      ...(mediaDurationMs === undefined
        ? {}
        : { mediaDurationMs: Math.max(0, mediaDurationMs * 1000) }),
      startMs: attempt.startMs,
      ...(bytes > 0 && firstByteMs !== undefined ? { firstByteMs } : {}),
      endMs,
      bytes,
      ...(earlyBytes > 0 ? { earlyBytes: Math.min(bytes, earlyBytes) } : {}),
      status: ending.status,
      outcome: ok ? 'ok' : attempt.abandoned ? 'abandoned' : 'failed',
      ...(error === undefined ? {} : { error }),
    };
    this.#options.emit(event, request);
  }
}

/** Without a length dash.js counts the bytes of an answer in its traces only. */
function loadedBytes({ request, streamedBytes }: Attempt): number {
  const traced = (request.traces ?? []).reduce((sum, { b }) => sum + (finite(b[0]) ?? 0), 0);
  return Math.max(finite(request.bytesLoaded) ?? 0, streamedBytes, traced);
}

function describe(status: number): string {
  return status === 0 ? 'no complete answer from the server' : `HTTP ${status}`;
}

/** Media type of a request for a media segment; undefined for every other request. */
export const segmentTypeOf = (request: DashRequest): MediaType | undefined =>
  kindOf(request) === 'media' ? mediaTypeOf(request) : undefined;

function mediaTypeOf(request: DashRequest): MediaType | undefined {
  return isMediaType(request.mediaType) ? request.mediaType : undefined;
}

function kindOf(request: DashRequest): RequestEvent['kind'] {
  switch (request.type) {
    case RequestType.manifest:
      return 'manifest';
    case RequestType.init:
      return 'init';
    case RequestType.media:
      // dash.js types the index of a file (SegmentBase) as a segment, but without a media time.
      return finite(request.startTime) === undefined ? 'index' : 'media';
    case RequestType.index:
      return 'index';
    default:
      return 'other';
  }
}
