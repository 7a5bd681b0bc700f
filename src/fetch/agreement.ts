import type { ByteRange } from '../chunks';
import type { ResponseHead } from './exchange';

/**
 * The fields that every partial answer has to repeat before its bytes are joined with others'. RFC 9110, section 15.3.7.3:
 * parts may be combined only when all have the same strong validator.
 */
export interface Agreement {
  /** Bytes of the whole representation. */
  completeBytes: number;
  validator: string;
  contentEncoding: string;
}

/** The treatment that an answer needs from its reader. */
export type AnswerVerdict =
  /** These bytes of the representation follow. They may be joined with those of other answers. */
  | { kind: 'part'; range: ByteRange; agreement: Agreement }
  /**
   * Partial, without a strong validator: parts of other answers may belong to another version. The object is
   * fetched whole.
   */
  | { kind: 'not-joinable'; reason: string; range: ByteRange }
  /** All of the representation follows. `agreement` is absent where no strong validator came with it. */
  | { kind: 'whole'; lengthBytes: number | undefined; agreement: Agreement | undefined }
  /** The representation ends before the requested range. */
  | { kind: 'beyond-end'; completeBytes: number | undefined }
  | { kind: 'redirect'; location: string }
  /** The server refuses for now: RFC 9110, section 10.2.3. */
  | { kind: 'later'; retryAfterMs: number | undefined }
  /** The answer has no content. It goes to the reader if no network has a better one. */
  | { kind: 'refusal' }
  | { kind: 'mismatch'; reason: string };

/** An unreasonable Retry-After must not take a network out for the whole session. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * A date of modification is strong this long before the answer: two versions within one second have the same date, and the two
 * clocks may differ a little (RFC 9110, section 8.8.2.2).
 */
const STRONG_AGE_MS = 60_000;

/**
 * The strong validator of an answer: a strong ETag (RFC 9110, section 8.8.1). Of an answer without any ETag, the date of its
 * last modification, if that is strong.
 */
function strongValidator({ headers }: ResponseHead): string | undefined {
  const { etag, date = '', 'last-modified': modified = '' } = headers;
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined;
  return Date.parse(date) - Date.parse(modified) >= STRONG_AGE_MS ? modified : undefined;
}

interface ContentRange {
  range: ByteRange | undefined;
  completeBytes: number | undefined;
}

/** Reads `bytes 0-99/1000`, `bytes 0-99/*` or `bytes * /1000`. RFC 9110, section 14.4. */
export function parseContentRange(text: string | undefined): ContentRange | undefined {
  const match = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/i.exec(text ?? '');
  if (!match) return undefined;
  const [, first, last, complete] = match;
  const completeBytes = complete === undefined || complete === '*' ? undefined : Number(complete);
  if (first === undefined || last === undefined) return { range: undefined, completeBytes };
  const range = { start: Number(first), end: Number(last) + 1 };
  if (range.end <= range.start) return undefined;
  if (completeBytes !== undefined && range.end > completeBytes) return undefined;
  return { range, completeBytes };
}

/** Parses seconds or an HTTP date. */
export function parseRetryAfter(text: string | undefined, wallNowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - wallNowMs;
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms)) : undefined;
}

function parseLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function agreementOf(head: ResponseHead, completeBytes: number | undefined): Agreement | undefined {
  const validator = strongValidator(head);
  if (validator === undefined || completeBytes === undefined) return undefined;
  const contentEncoding = head.headers['content-encoding'] ?? 'identity';
  return { completeBytes, validator, contentEncoding };
}

/** The reason why two answers are not parts of one representation; undefined when they are. */
export function disagreement(agreed: Agreement, other: Agreement | undefined): string | undefined {
  if (!other) return 'the answer has no strong validator';
  if (other.validator !== agreed.validator) {
    return `its validator is ${other.validator}, not ${agreed.validator}`;
  }
  if (other.completeBytes !== agreed.completeBytes) {
    return `its length is ${other.completeBytes}, not ${agreed.completeBytes} bytes`;
  }
  return other.contentEncoding === agreed.contentEncoding
    ? undefined
    : `its encoding is ${other.contentEncoding}, not ${agreed.contentEncoding}`;
}

function judgePart(head: ResponseHead, asked: ByteRange | undefined): AnswerVerdict {
  if (asked === undefined)
    return { kind: 'mismatch', reason: '206, though no range was asked for' };
  // Its body has headers between the bytes (RFC 9110, section 14.6).
  if (/^multipart\//i.test(head.headers['content-type'] ?? ''))
    return { kind: 'mismatch', reason: '206 with several parts, though one range was asked for' };
  const content = parseContentRange(head.headers['content-range']);
  if (!content?.range) {
    const got = head.headers['content-range'] ?? 'none';
    return { kind: 'mismatch', reason: `206 with an unusable Content-Range (${got})` };
  }
  const { range, completeBytes } = content;
  if (range.start !== asked.start || range.end > asked.end) {
    const got = `${range.start}-${range.end - 1}`;
    return { kind: 'mismatch', reason: `206 with bytes ${got}, which were not asked for` };
  }
  const agreement = agreementOf(head, completeBytes);
  if (!agreement) {
    return { kind: 'not-joinable', reason: 'the server gives no strong validator', range };
  }
  return { kind: 'part', range, agreement };
}

/**
 * Judges the head of an answer.
 * @param asked the requested range; undefined: everything was requested
 * @param wallNowMs the time against which a Retry-After date counts
 */
export function judgeHead(
  head: ResponseHead,
  asked: ByteRange | undefined,
  wallNowMs: number,
): AnswerVerdict {
  const { status, headers } = head;
  if ([301, 302, 303, 307, 308].includes(status) && headers['location'] !== undefined) {
    return { kind: 'redirect', location: headers['location'] };
  }
  if (status === 429 || status === 503) {
    return { kind: 'later', retryAfterMs: parseRetryAfter(headers['retry-after'], wallNowMs) };
  }
  if (status === 206) return judgePart(head, asked);
  if (status === 416 && asked !== undefined) {
    const completeBytes = parseContentRange(headers['content-range'])?.completeBytes;
    return { kind: 'beyond-end', completeBytes };
  }
  if (status === 200) {
    const lengthBytes = parseLength(headers['content-length']);
    return { kind: 'whole', lengthBytes, agreement: agreementOf(head, lengthBytes) };
  }
  return { kind: 'refusal' };
}
