import type { MediaType } from '../../core';
import type { NewEvent } from '../session/session';
import type { RequestEvent } from '../../session-log';

/** Shaka's report of a finished HTTP exchange: `downloadcompleted` or `downloadfailed`. */
export interface ShakaExchange {
  requestType: number;
  request: {
    uris: readonly string[];
    attempt: number;
    /** Wall clock when it was sent; absent if it never was. */
    requestStartTime?: number | null;
    /** Time from `requestStartTime` to the headers. */
    timeToFirstByte?: number | null;
  };
  context?: {
    type?: number;
    stream?: { type: string; originalId: string | null; bandwidth?: number };
    segment?: { getStartTime(): number; getEndTime(): number } | null;
  };
  /** Present after completion. */
  response?: { uri: string; status?: number; data: { byteLength: number } };
  /** Present after a failure. */
  httpResponseCode?: number;
  error?: { code: number } | null;
}

/** Numeric constants of Shaka's public interface. */
export interface ShakaCodes {
  manifest: number;
  segment: number;
  initSegment: number;
  operationAborted: number;
}

export interface ExchangeContext {
  codes: ShakaCodes;
  requestId: number;
  nowMs: number;
  wallNowMs: number;
  rungOf: (mediaType: MediaType, representationId: string) => number;
}

/** The log's event for an exchange; undefined if nothing was sent. */
export function requestEvent(
  exchange: ShakaExchange,
  { codes, requestId, nowMs, wallNowMs, rungOf }: ExchangeContext,
): (NewEvent & { type: 'request' }) | undefined {
  const { context, request, response } = exchange;
  if (typeof request.requestStartTime !== 'number') return undefined;
  const startMs = Math.min(nowMs, nowMs - (wallNowMs - request.requestStartTime));
  const { stream, segment } = context ?? {};
  const mediaType = stream?.type === 'video' || stream?.type === 'audio' ? stream.type : undefined;
  const isInit = context?.type === codes.initSegment;
  const bytes = response?.data.byteLength ?? 0;
  const firstByteMs = startMs + (request.timeToFirstByte ?? 0);
  const outcome = outcomeOf(exchange, codes);
  const status = response ? (response.status ?? 200) : (exchange.httpResponseCode ?? 0);
  return {
    type: 'request',
    requestId,
    kind: kindOf(exchange.requestType, isInit, codes),
    ...(mediaType ? { mediaType, rung: rungOf(mediaType, stream?.originalId ?? '') } : {}),
    ...(stream?.bandwidth === undefined ? {} : { bitrateBps: stream.bandwidth }),
    url: response?.uri ?? request.uris[request.attempt % request.uris.length] ?? '',
    ...(segment && !isInit ? mediaTimes(segment) : {}),
    startMs,
    ...(bytes > 0 ? { firstByteMs: Math.min(nowMs, firstByteMs) } : {}),
    endMs: nowMs,
    bytes,
    status,
    outcome,
    ...(outcome === 'failed' ? { error: describe(exchange) } : {}),
  };
}

function kindOf(requestType: number, isInit: boolean, codes: ShakaCodes): RequestEvent['kind'] {
  if (requestType === codes.manifest) return 'manifest';
  if (requestType !== codes.segment) return 'other';
  return isInit ? 'init' : 'media';
}

function outcomeOf(exchange: ShakaExchange, codes: ShakaCodes): RequestEvent['outcome'] {
  if (exchange.response) return 'ok';
  return exchange.error?.code === codes.operationAborted ? 'abandoned' : 'failed';
}

function describe({ error, httpResponseCode }: ShakaExchange): string {
  if (httpResponseCode) return `HTTP ${httpResponseCode}`;
  return error ? `Shaka error ${error.code}` : 'no complete answer from the server';
}

function mediaTimes(
  segment: NonNullable<NonNullable<ShakaExchange['context']>['segment']>,
): Pick<RequestEvent, 'segmentIndex' | 'mediaStartMs' | 'mediaDurationMs'> {
  const startSeconds = segment.getStartTime();
  const durationSeconds = segment.getEndTime() - startSeconds;
  return {
    ...(durationSeconds > 0 ? { segmentIndex: Math.round(startSeconds / durationSeconds) } : {}),
    mediaStartMs: startSeconds * 1000,
    mediaDurationMs: Math.max(0, durationSeconds * 1000),
  };
}
