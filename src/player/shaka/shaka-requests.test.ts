import { describe, expect, it } from 'vitest';
import { requestEvent, type ShakaExchange, type ExchangeContext } from './shaka-requests';

const context: ExchangeContext = {
  codes: { manifest: 0, segment: 1, initSegment: 0, operationAborted: 7001 },
  requestId: 4,
  nowMs: 50_900,
  wallNowMs: 1_000_900,
  rungOf: (mediaType, id) => (mediaType === 'video' && id === 'v2' ? 2 : -1),
};
const request = {
  uris: ['http://a/1', 'http://b/1'],
  attempt: 1,
  requestStartTime: 1_000_000,
  timeToFirstByte: 100,
};
const segment = { getStartTime: () => 8, getEndTime: () => 12 };
const stream = { type: 'video', originalId: 'v2', bandwidth: 900_000 };

describe('requestEvent', () => {
  it('puts a segment on the feed clock, with rung and media time', () => {
    const response = { uri: 'http://b/1?x', status: 206, data: new ArrayBuffer(5000) };
    const exchange: ShakaExchange = {
      requestType: 1,
      request,
      context: { type: 1, stream, segment },
      response,
    };
    expect(requestEvent(exchange, context)).toEqual({
      type: 'request',
      requestId: 4,
      kind: 'media',
      mediaType: 'video',
      rung: 2,
      bitrateBps: 900_000,
      url: 'http://b/1?x',
      segmentIndex: 2,
      mediaStartMs: 8000,
      mediaDurationMs: 4000,
      startMs: 50_000,
      firstByteMs: 50_100,
      endMs: 50_900,
      bytes: 5000,
      status: 206,
      outcome: 'ok',
    });
  });

  it('distinguishes an initialization segment from media', () => {
    const response = { uri: 'http://b/i', data: new ArrayBuffer(10) };
    const exchange = { requestType: 1, request, context: { type: 0, stream, segment }, response };
    const event = requestEvent(exchange, context);
    expect(event).toMatchObject({ kind: 'init', status: 200 });
    expect(event).not.toHaveProperty('mediaStartMs');
  });

  it('distinguishes aborted from failed requests', () => {
    const base = { requestType: 1, request, context: { type: 1, stream, segment } };
    const abandoned = requestEvent({ ...base, error: { code: 7001 } }, context);
    expect(abandoned).toMatchObject({ outcome: 'abandoned', bytes: 0, url: 'http://b/1' });
    expect(abandoned).not.toHaveProperty('firstByteMs');
    expect(requestEvent({ ...base, httpResponseCode: 404 }, context)).toMatchObject({
      outcome: 'failed',
      status: 404,
      error: 'HTTP 404',
    });
  });

  it('returns nothing for a request that was never sent', () => {
    const unsent = { ...request, requestStartTime: null };
    expect(requestEvent({ requestType: 0, request: unsent }, context)).toBeUndefined();
  });
});
