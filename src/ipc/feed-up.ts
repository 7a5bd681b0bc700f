import * as v from 'valibot';
import type { LogEvent } from '../session-log';
import type { PathRequest } from '../ports';
import { limits } from './limits';
import { logEventSchema } from './log-schema';
import { sequenceSchema, wantedPathsSchema } from './network-schema';
import { parse, type Parsed } from './parse';

/** Messages from the page. */
export type FeedUp =
  | { type: 'watch'; origins: string[] }
  | { type: 'log'; events: LogEvent[] }
  | ({ type: 'paths' } & PathRequest);

const origin = v.pipe(
  v.string(),
  v.maxLength(limits.textChars),
  v.regex(/^https?:\/\/[^/?#@\s]+$/, 'must be scheme://host[:port]'),
);

const feedUpSchema: v.GenericSchema<unknown, FeedUp> = v.variant('type', [
  v.strictObject({
    type: v.literal('watch'),
    origins: v.pipe(v.array(origin), v.maxLength(limits.origins)),
  }),
  v.strictObject({
    type: v.literal('log'),
    events: v.pipe(v.array(logEventSchema), v.maxLength(limits.logEvents)),
  }),
  v.strictObject({
    type: v.literal('paths'),
    sequence: sequenceSchema,
    paths: wantedPathsSchema,
  }),
]);

/** Checks a message from the page; the error names the field. */
export function parseFeedUp(input: unknown): Parsed<FeedUp> {
  return parse(feedUpSchema, input);
}
