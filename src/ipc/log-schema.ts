import * as v from 'valibot';
import { LOG_SCHEMA_VERSION, type LogEvent } from '../session-log';
import { brainEntrySchema, pathDecisionFields } from './brain-schema';
import { count, finite, nonNegative, rungIndex, text } from './fields';
import { limits } from './limits';
import { forecastSchema, ladderSchema, mediaTypeSchema } from './media-schema';
import {
  carriageReportSchema,
  carriedChunkSchema,
  pathControlReportSchema,
  pathEventSchema,
  sampleBatchSchema,
  transportStatusSchema,
} from './network-schema';
import { parse, type Parsed } from './parse';

const url = v.pipe(v.string(), v.maxLength(limits.urlChars));
const stamped = { monotonicMs: nonNegative };

/** One line of the session log. Closed: an unknown field or type is refused. */
export const logEventSchema: v.GenericSchema<unknown, LogEvent> = v.variant('type', [
  v.strictObject({
    type: v.literal('config'),
    ...stamped,
    schemaVersion: v.literal(LOG_SCHEMA_VERSION),
    startedAt: text,
    player: text,
    playerVersion: text,
    settings: v.record(v.string(), v.unknown()),
  }),
  v.strictObject({ type: v.literal('status'), ...stamped, status: transportStatusSchema }),
  v.strictObject({
    type: v.literal('manifest'),
    ...stamped,
    url,
    kind: v.picklist(['static', 'dynamic']),
    durationMs: v.optional(nonNegative),
    ladders: v.pipe(v.array(ladderSchema), v.maxLength(8)),
  }),
  v.strictObject({ type: v.literal('samples'), ...stamped, batch: sampleBatchSchema }),
  v.strictObject({ type: v.literal('path'), ...stamped, event: pathEventSchema }),
  v.strictObject({
    type: v.literal('path-control'),
    ...stamped,
    report: pathControlReportSchema,
  }),
  v.strictObject({
    type: v.literal('carriage'),
    ...stamped,
    report: carriageReportSchema,
    chunks: v.optional(v.pipe(v.array(carriedChunkSchema), v.maxLength(limits.chunks))),
  }),
  v.strictObject({ type: v.literal('path-decision'), ...stamped, ...pathDecisionFields }),
  v.strictObject({
    type: v.literal('brain'),
    ...stamped,
    entries: v.pipe(v.array(brainEntrySchema), v.maxLength(limits.brainEntries)),
  }),
  v.strictObject({
    type: v.literal('request'),
    ...stamped,
    requestId: count,
    kind: v.picklist(['manifest', 'init', 'index', 'media', 'other']),
    mediaType: v.optional(mediaTypeSchema),
    url,
    rung: v.optional(rungIndex),
    bitrateBps: v.optional(nonNegative),
    segmentIndex: v.optional(v.pipe(v.number(), v.integer())),
    mediaStartMs: v.optional(finite),
    mediaDurationMs: v.optional(nonNegative),
    startMs: nonNegative,
    firstByteMs: v.optional(nonNegative),
    endMs: nonNegative,
    bytes: nonNegative,
    earlyBytes: v.optional(nonNegative),
    status: count,
    outcome: v.picklist(['ok', 'abandoned', 'failed']),
    error: v.optional(text),
  }),
  v.strictObject({
    type: v.literal('decision'),
    ...stamped,
    kind: v.picklist(['select', 'abandon']),
    rule: text,
    mediaType: mediaTypeSchema,
    fromRung: rungIndex,
    toRung: rungIndex,
    bufferMs: nonNegative,
    forecast: forecastSchema,
    reason: text,
  }),
  v.strictObject({
    type: v.literal('switch'),
    ...stamped,
    mediaType: mediaTypeSchema,
    fromRung: rungIndex,
    toRung: rungIndex,
    fromBitrateBps: nonNegative,
    toBitrateBps: nonNegative,
  }),
  v.strictObject({ type: v.literal('startup'), ...stamped, startupDelayMs: nonNegative }),
  v.strictObject({
    type: v.literal('stall'),
    ...stamped,
    phase: v.picklist(['start', 'end']),
    durationMs: v.optional(nonNegative),
  }),
  v.strictObject({
    type: v.literal('player'),
    ...stamped,
    positionMs: nonNegative,
    bufferMs: nonNegative,
    videoBufferMs: v.optional(nonNegative),
    audioBufferMs: v.optional(nonNegative),
    playing: v.boolean(),
    rung: rungIndex,
    bitrateBps: nonNegative,
    audioBitrateBps: v.optional(nonNegative),
    liveLatencyMs: v.optional(nonNegative),
    decodedFrames: count,
    droppedFrames: count,
  }),
  v.strictObject({
    type: v.literal('error'),
    ...stamped,
    code: text,
    message: text,
    fatal: v.boolean(),
  }),
  v.strictObject({
    type: v.literal('end'),
    ...stamped,
    reason: v.picklist(['ended', 'time-up', 'closed', 'failed', 'interrupted']),
  }),
]);

/** Checks one line of a session log; the error names the field. */
export function parseLogEvent(input: unknown): Parsed<LogEvent> {
  return parse(logEventSchema, input);
}
