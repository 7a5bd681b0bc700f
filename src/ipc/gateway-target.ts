/**
 * How a page asks the loopback gateway for media: `GET <gateway>?url=...&parts=1`. A `POST` to the same address
 * announces that a stream's next request will be this one.
 */

export const URL_KEY = 'url';
export const PARTS_KEY = 'parts';
export const NEEDED_KEY = 'needed';
export const STREAM_KEY = 'stream';
export const EXPECTED_KEY = 'expected';

/** Where an answer came from, after redirects. */
export const GATEWAY_URL_HEADER = 'x-multipath-url';

export interface GatewayRequest {
  /** The URL to fetch: http or https. */
  url: string;
  /** It may come in byte ranges over several networks; false for what is small or made anew for each request. */
  joinable: boolean;
  /** From now until its last byte is needed. */
  neededInMs?: number | undefined;
  /** Requests that a page makes one after the other share a name, such as `video`; announcements need it. */
  stream?: string | undefined;
  /** A guess of the answer's length. */
  expectedBytes?: number | undefined;
}

/** Ten minutes of buffer are more than a player keeps. */
export const MOST_NEEDED_MS = 600_000;
/** A minute at 1 Gbit/s: more is no guess of a segment. */
export const MOST_EXPECTED_BYTES = 7.5e9;

/** The address to ask the gateway at. @param gateway its base, ending in a slash */
export function gatewayTarget(gateway: string, request: GatewayRequest): string {
  const pairs = [`${URL_KEY}=${encodeURIComponent(request.url)}`];
  if (request.joinable) pairs.push(`${PARTS_KEY}=1`);
  if (request.neededInMs !== undefined) {
    const neededInMs = Math.min(MOST_NEEDED_MS, Math.max(0, Math.round(request.neededInMs)));
    pairs.push(`${NEEDED_KEY}=${neededInMs}`);
  }
  if (request.stream !== undefined)
    pairs.push(`${STREAM_KEY}=${encodeURIComponent(request.stream)}`);
  const expectedBytes = Math.round(request.expectedBytes ?? 0);
  if (expectedBytes >= 1 && expectedBytes <= MOST_EXPECTED_BYTES) {
    pairs.push(`${EXPECTED_KEY}=${expectedBytes}`);
  }
  return `${gateway}?${pairs.join('&')}`;
}
