import * as v from 'valibot';
import type { TransportMessage } from '../ports';
import { nonNegative } from './fields';
import { limits } from './limits';
import {
  carriageReportSchema,
  pathControlReportSchema,
  pathEventSchema,
  sampleBatchSchema,
  transportStatusSchema,
} from './network-schema';
import { parse, type Parsed } from './parse';

/**
 * The schema between a page and its network feed: Electron's main process or the loopback agent. Each direction
 * has a file, so that a page's bundle contains only its own. Both ends validate; an invalid message is
 * refused, reported, and dropped.
 */
export const FEED_PROTOCOL_VERSION = 1;

/** Messages to the page. `welcome` carries the feed's clock. It follows the present state: status, path control, carriage. */
export type FeedDown =
  | { type: 'welcome'; protocolVersion: typeof FEED_PROTOCOL_VERSION; monotonicMs: number }
  | TransportMessage;

const feedDownSchema: v.GenericSchema<unknown, FeedDown> = v.variant('type', [
  v.strictObject({
    type: v.literal('welcome'),
    protocolVersion: v.literal(FEED_PROTOCOL_VERSION),
    monotonicMs: nonNegative,
  }),
  v.strictObject({ type: v.literal('status'), status: transportStatusSchema }),
  v.strictObject({ type: v.literal('samples'), batch: sampleBatchSchema }),
  v.strictObject({ type: v.literal('path'), event: pathEventSchema }),
  v.strictObject({ type: v.literal('path-control'), report: pathControlReportSchema }),
  v.strictObject({
    type: v.literal('carriage'),
    report: carriageReportSchema,
    gatewayUrl: v.optional(
      v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/[0-9a-f]{64}\/$/)),
    ),
  }),
  v.strictObject({
    type: v.literal('closed'),
    reason: v.pipe(v.string(), v.maxLength(limits.textChars)),
  }),
]);

/** Checks a message to the page; the error names the field. */
export function parseFeedDown(input: unknown): Parsed<FeedDown> {
  return parse(feedDownSchema, input);
}
