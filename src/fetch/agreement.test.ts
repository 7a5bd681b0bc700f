import { describe, expect, it } from 'vitest';
import {
  disagreement,
  judgeHead,
  parseContentRange,
  parseRetryAfter,
  type Agreement,
} from './agreement';

const asked = { start: 100, end: 200 };
const head = (status: number, headers: Record<string, string> = {}) => ({ status, headers });
const part = (contentRange: string, etag = '"a"') =>
  judgeHead(head(206, { 'content-range': contentRange, etag }), asked, 0);

describe('judgeHead', () => {
  it('accepts the requested range, also a shorter one', () => {
    const agreement = { completeBytes: 1000, validator: '"a"', contentEncoding: 'identity' };
    expect(part('bytes 100-199/1000')).toEqual({ kind: 'part', range: asked, agreement });
    expect(part('bytes 100-149/1000')).toMatchObject({ range: { start: 100, end: 150 } });
  });

  it.each([
    'bytes 0-99/1000',
    'bytes 100-299/1000',
    'bytes 150-199/1000',
    'bytes 199-100/1000',
    'bytes 100-199/150',
    'items 100-199/1000',
    '',
  ])('refuses a part with Content-Range "%s"', (text) => {
    expect(part(text)).toMatchObject({ kind: 'mismatch' });
  });

  it('refuses to join without a strong validator and a length', () => {
    expect(part('bytes 100-199/1000', 'W/"a"')).toMatchObject({ kind: 'not-joinable' });
    expect(part('bytes 100-199/*')).toMatchObject({ kind: 'not-joinable' });
  });

  it.each([
    ['Thu, 01 Jan 1970 00:01:00 GMT', {}, 'part'],
    ['Thu, 01 Jan 1970 00:00:59 GMT', {}, 'not-joinable'],
    ['Thu, 01 Jan 1970 00:01:00 GMT', { etag: 'W/"a"' }, 'not-joinable'],
    ['yesterday', {}, 'not-joinable'],
  ])('joins by a date of modification that is old and alone (%s, %j)', (date, etag, kind) => {
    const modified = 'Thu, 01 Jan 1970 00:00:00 GMT';
    const headers = { 'content-range': 'bytes 100-199/1000', 'last-modified': modified, date };
    expect(judgeHead(head(206, { ...headers, ...etag }), asked, 0)).toMatchObject({
      kind,
      ...(kind === 'part' ? { agreement: { validator: modified } } : {}),
    });
  });

  it('refuses a part after a request without a range', () => {
    const answer = head(206, { 'content-range': 'bytes 0-9/10', etag: '"a"' });
    expect(judgeHead(answer, undefined, 0)).toMatchObject({ kind: 'mismatch' });
  });

  it('reports the length that a 416 states', () => {
    const answer = head(416, { 'content-range': 'bytes */90' });
    expect(judgeHead(answer, asked, 0)).toEqual({ kind: 'beyond-end', completeBytes: 90 });
  });

  it('accepts a whole answer with or without a validator', () => {
    expect(judgeHead(head(200, { 'content-length': '10', etag: '"a"' }), asked, 0)).toMatchObject({
      kind: 'whole',
      lengthBytes: 10,
      agreement: { completeBytes: 10 },
    });
    expect(judgeHead(head(200), asked, 0)).toEqual({
      kind: 'whole',
      lengthBytes: undefined,
      agreement: undefined,
    });
  });

  it('knows redirects, refusals and delays', () => {
    expect(judgeHead(head(302, { location: '/x' }), asked, 0)).toEqual({
      kind: 'redirect',
      location: '/x',
    });
    expect(judgeHead(head(302), asked, 0)).toEqual({ kind: 'refusal' });
    expect(judgeHead(head(404), asked, 0)).toEqual({ kind: 'refusal' });
    expect(judgeHead(head(503, { 'retry-after': '2' }), asked, 0)).toEqual({
      kind: 'later',
      retryAfterMs: 2000,
    });
    expect(judgeHead(head(429), asked, 0)).toEqual({ kind: 'later', retryAfterMs: undefined });
  });
});

describe('parseRetryAfter', () => {
  it('reads dates, and bounds what a server may ask', () => {
    const date = 'Thu, 01 Jan 1970 00:00:05 GMT';
    expect(parseRetryAfter(date, 2000)).toBe(3000);
    expect(parseRetryAfter(date, 9000)).toBe(0);
    expect(parseRetryAfter('999999999', 0)).toBe(120_000);
    expect(parseRetryAfter('soon', 0)).toBeUndefined();
  });
});

describe('parseContentRange', () => {
  it('refuses numbers that lose precision', () => {
    expect(parseContentRange('bytes 0-9999999999999999999/*')).toBeUndefined();
  });
});

describe('disagreement', () => {
  const agreed: Agreement = {
    completeBytes: 10,
    validator: '"a"',
    contentEncoding: 'identity',
  };
  it('names what differs', () => {
    expect(disagreement(agreed, { ...agreed })).toBeUndefined();
    expect(disagreement(agreed, { ...agreed, validator: '"b"' })).toMatch(/validator/);
    expect(disagreement(agreed, { ...agreed, completeBytes: 11 })).toMatch(/length/);
    expect(disagreement(agreed, { ...agreed, contentEncoding: 'gzip' })).toMatch(/encoding/);
    expect(disagreement(agreed, undefined)).toMatch(/validator/);
  });
});
