/**
 * Requests of a page to the loopback gateway: `GET <gateway>?url=...&parts=1`. A `POST` to the same address
 * announces the next request of a stream.
 */

export const URL_KEY = 'url';
/** 1 where the object may come in parts now; each ms until then adds 1. */
export const PARTS_KEY = 'parts';
export const NEEDED_KEY = 'needed';
export const STREAM_KEY = 'stream';
export const EXPECTED_KEY = 'expected';

/** Header with an answer's address after redirects. */
export const GATEWAY_URL_HEADER = 'x-multipath-url';

/** Header with the bytes of an answer's body that had arrived before its request. */
export const GATEWAY_EARLY_HEADER = 'x-multipath-early';

export interface GatewayRequest {
  /** The URL to fetch: http or https. */
  url: string;
  /**
   * Time until the object may come in byte ranges over several networks: that until its server has written all of it. Absent for
   * small objects and for those that the server generates anew for each request.
   */
  joinableInMs?: number | undefined;
  /** Time until its last byte is needed. */
  neededInMs?: number | undefined;
  /** Common name of the successive requests of a stream, such as `video`; announcements need it. */
  stream?: string | undefined;
  /** A guess of the answer's length. */
  expectedBytes?: number | undefined;
}

/** An address without its CMCD (CTA-5004), which differs with each request for an object. */
export const withoutCmcd = (url: string): string => url.replace(/[?&]CMCD=[^&#]*/, '');

/** A day: no segment takes longer. */
export const MAX_JOINABLE_MS = 86_400_000;
/** Ten minutes of buffer: more than a player keeps. */
export const MAX_NEEDED_MS = 600_000;
/** A minute at 1 Gbit/s: too large for a segment. */
export const MAX_EXPECTED_BYTES = 7.5e9;

/**
 * The gateway's address for a request.
 * @param gateway its base, ending in a slash
 */
export function gatewayTarget(
  gateway: string,
  { url, joinableInMs, neededInMs, stream, expectedBytes = 0 }: GatewayRequest,
): string {
  const bytes = Math.round(expectedBytes);
  const pairs = [
    `${URL_KEY}=${encodeURIComponent(url)}`,
    joinableInMs !== undefined && `${PARTS_KEY}=${1 + joinableInMs}`,
    neededInMs !== undefined &&
      `${NEEDED_KEY}=${Math.min(MAX_NEEDED_MS, Math.max(0, Math.round(neededInMs)))}`,
    stream && `${STREAM_KEY}=${encodeURIComponent(stream)}`,
    bytes >= 1 && bytes <= MAX_EXPECTED_BYTES && `${EXPECTED_KEY}=${bytes}`,
  ];
  return `${gateway}?${pairs.filter(Boolean).join('&')}`;
}
