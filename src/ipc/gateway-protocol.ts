import * as v from 'valibot';
import {
  EXPECTED_KEY,
  MAX_EXPECTED_BYTES,
  MAX_JOINABLE_MS,
  MAX_NEEDED_MS,
  NEEDED_KEY,
  PARTS_KEY,
  STREAM_KEY,
  URL_KEY,
  type GatewayRequest,
} from './gateway-target';
import { limits } from './limits';
import { parse, type Parsed } from './parse';

const requestSchema = v.object({
  url: v.pipe(v.string(), v.maxLength(limits.urlChars), v.url(), v.regex(/^https?:/)),
  joinableInMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_JOINABLE_MS))),
  neededInMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_NEEDED_MS))),
  stream: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/))),
  expectedBytes: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_EXPECTED_BYTES)),
  ),
});

/** Reads the query of an address that `gatewayTarget` made. */
export function parseGatewayTarget(query: string): Parsed<GatewayRequest> {
  const values = new Map<string, string>();
  try {
    for (const pair of query.split('&')) {
      const [key = '', value = ''] = pair.split('=', 2);
      values.set(key, decodeURIComponent(value));
    }
  } catch {
    return { ok: false, error: 'query: malformed percent encoding' };
  }
  const parts = values.get(PARTS_KEY);
  const needed = values.get(NEEDED_KEY);
  const stream = values.get(STREAM_KEY);
  const expected = values.get(EXPECTED_KEY);
  return parse(
    requestSchema,
    {
      url: values.get(URL_KEY) ?? '',
      ...(parts === undefined ? {} : { joinableInMs: Number(parts) - 1 }),
      ...(needed === undefined ? {} : { neededInMs: Number(needed) }),
      ...(stream === undefined ? {} : { stream }),
      ...(expected === undefined ? {} : { expectedBytes: Number(expected) }),
    },
    'query',
  );
}
