import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The bytes of a file that an answer carries. */
export interface RequestedPart {
  start: number;
  /** Exclusive. */
  end: number;
  /** False: the answer is the whole file. */
  isPart: boolean;
}

/**
 * The requested part of a file of `size` bytes, or the whole file if `If-Range` names another version of it (RFC 9110,
 * section 13.1.5).
 */
export function requestedPart(
  { range, 'if-range': required }: IncomingHttpHeaders,
  etag: string,
  size: number,
): RequestedPart {
  const [, first, last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const isPart = first !== undefined && (required === undefined || required === etag);
  const start = isPart ? Number(first) : 0;
  const end = isPart && last !== '' ? Math.min(size, Number(last) + 1) : size;
  return { start, end, isPart };
}

/**
 * Sets the headers by which a player joins parts.
 * @returns false if the part has no byte: it is answered with 416
 */
export function offerPart(
  response: ServerResponse,
  { start, end, isPart }: RequestedPart,
  etag: string,
  size: number,
): boolean {
  response.setHeader('ETag', etag);
  response.setHeader('Accept-Ranges', 'bytes');
  if (start >= end) {
    response.setHeader('Content-Range', `bytes */${size}`);
    response.writeHead(416).end();
    return false;
  }
  if (isPart) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  }
  return true;
}
