/**
 * The one schema between a page and whatever watches the network for it (Electron's main process or the
 * loopback agent). Both ends validate what they receive; an invalid message is refused, told, and dropped.
 */
import * as v from 'valibot';
import type { LogEvent } from '../qoe';
import type { TransportMessage } from '../ports';
import { limits } from './limits';
import { logEventSchema } from './log-schema';
import {
  nonNegative,
  pathEventSchema,
  sampleBatchSchema,
  transportStatusSchema,
} from './network-schema';

export const FEED_PROTOCOL_VERSION = 1;

/** To the page. `welcome` is first and carries the feed's clock. */
export type FeedDown =
  | { type: 'welcome'; protocolVersion: typeof FEED_PROTOCOL_VERSION; monotonicMs: number }
  | TransportMessage;

/** From the page. */
export type FeedUp = { type: 'watch'; origins: string[] } | { type: 'log'; events: LogEvent[] };

const origin = v.pipe(
  v.string(),
  v.maxLength(limits.textChars),
  v.regex(/^https?:\/\/[^/?#@\s]+$/, 'must be scheme://host[:port]'),
);

export const feedDownSchema: v.GenericSchema<unknown, FeedDown> = v.variant('type', [
  v.strictObject({
    type: v.literal('welcome'),
    protocolVersion: v.literal(FEED_PROTOCOL_VERSION),
    monotonicMs: nonNegative,
  }),
  v.strictObject({ type: v.literal('status'), status: transportStatusSchema }),
  v.strictObject({ type: v.literal('samples'), batch: sampleBatchSchema }),
  v.strictObject({ type: v.literal('path'), event: pathEventSchema }),
  v.strictObject({
    type: v.literal('closed'),
    reason: v.pipe(v.string(), v.maxLength(limits.textChars)),
  }),
]);

export const feedUpSchema: v.GenericSchema<unknown, FeedUp> = v.variant('type', [
  v.strictObject({
    type: v.literal('watch'),
    origins: v.pipe(v.array(origin), v.maxLength(limits.origins)),
  }),
  v.strictObject({
    type: v.literal('log'),
    events: v.pipe(v.array(logEventSchema), v.maxLength(limits.logEvents)),
  }),
]);

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: string };

function parse<T>(schema: v.GenericSchema<unknown, T>, input: unknown): Parsed<T> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output };
  const issue = result.issues[0];
  const where = v.getDotPath(issue) ?? 'message';
  return { ok: false, error: `${where}: ${issue.message}` };
}

/** Checks a message to the page; the error names the field. */
export function parseFeedDown(input: unknown): Parsed<FeedDown> {
  return parse(feedDownSchema, input);
}

/** Checks a message from the page; the error names the field. */
export function parseFeedUp(input: unknown): Parsed<FeedUp> {
  return parse(feedUpSchema, input);
}

/** Checks one line of a session log; the error names the field. */
export function parseLogEvent(input: unknown): Parsed<LogEvent> {
  return parse(logEventSchema, input);
}
