import * as v from 'valibot';
import { OWN_ABR_NAMES, type NetworkWish } from '../core';
import type { BrainLogEntry } from '../session-log';
import { finite, nonNegative, rungIndex, text } from './fields';
import { ladderSchema, forecastSchema, mediaTypeSchema } from './media-schema';
import { limits } from './limits';
import {
  carriageKindSchema,
  pathEventSchema,
  sequenceSchema as count,
  wantedPathsSchema,
} from './network-schema';
import { parse, type Parsed } from './parse';

const trigger = v.picklist(['tick', 'segment', 'path-event', 'progress']);
/** Unknown values are null in JSON, and undefined in structured clones. */
const size = v.nullish(nonNegative);
const sizes = v.pipe(v.array(size), v.maxLength(limits.rungs));

const perMedia = <S extends v.GenericSchema>(schema: S) =>
  v.strictObject({ video: v.optional(schema), audio: v.optional(schema) });

const requestInFlight = v.strictObject({
  requestId: count,
  mediaType: v.optional(mediaTypeSchema),
  rung: rungIndex,
  startMs: nonNegative,
  bytesLoaded: nonNegative,
  bytesTotal: v.optional(nonNegative),
  durationMs: v.optional(nonNegative),
});

const live = v.strictObject({
  latencyMs: nonNegative,
  targetLatencyMs: v.optional(nonNegative),
  availableMs: v.optional(nonNegative),
  unitMs: v.optional(nonNegative),
});

/** Unchanged fields are left out; null removes one. */
const observation = v.strictObject({
  monotonicMs: v.optional(nonNegative),
  trigger: v.optional(trigger),
  mediaType: v.nullish(mediaTypeSchema),
  ladders: v.optional(v.pipe(v.array(ladderSchema), v.maxLength(8))),
  currentRung: v.optional(perMedia(rungIndex)),
  bufferMs: v.optional(perMedia(nonNegative)),
  bufferTargetMs: v.optional(nonNegative),
  playing: v.optional(v.boolean()),
  requests: v.optional(v.pipe(v.array(requestInFlight), v.maxLength(limits.requests))),
  nextSegments: v.nullish(perMedia(v.pipe(v.array(sizes), v.maxLength(limits.nextSegments)))),
  segmentDurationMs: v.optional(perMedia(nonNegative)),
  live: v.nullish(live),
  playbackRate: v.nullish(nonNegative),
  control: v.optional(
    v.union([v.picklist(['all', 'none']), v.pipe(v.array(text), v.maxLength(limits.paths))]),
  ),
});

const decision = v.strictObject({
  monotonicMs: nonNegative,
  trigger,
  paths: v.pipe(
    v.array(v.strictObject({ pathId: text, desired: v.picklist(['active', 'backup', 'closed']) })),
    v.maxLength(limits.paths),
  ),
  rungs: perMedia(rungIndex),
  abandon: v.optional(
    v.strictObject({ requestId: count, mediaType: mediaTypeSchema, toRung: count, reason: text }),
  ),
  forecast: forecastSchema,
  trusted: v.boolean(),
  ahead: v.optional(v.boolean()),
  reason: text,
  pathReason: text,
});

const scalar = v.union([
  v.null(),
  v.boolean(),
  finite,
  v.pipe(v.string(), v.maxLength(limits.textChars)),
]);
/** Settings by name; their user validates them. */
export const policyConfigSchema = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(64)), scalar),
  v.check((config) => Object.keys(config).length <= 64, 'at most 64 settings'),
);

/** A viewer's preference for one network. */
export const networkWishSchema: v.GenericSchema<unknown, NetworkWish> = v.strictObject({
  network: v.pipe(text, v.minLength(1)),
  metered: v.optional(v.boolean()),
  costPerGb: v.optional(nonNegative),
  budgetBytes: v.optional(nonNegative),
  preferred: v.optional(v.boolean()),
});

export const networkPreferencesSchema: v.GenericSchema<unknown, NetworkWish[]> = v.pipe(
  v.array(networkWishSchema),
  v.maxLength(limits.paths),
);

const brainConfig = v.strictObject({
  policy: text,
  policyConfig: v.optional(policyConfigSchema),
  abr: v.picklist([...OWN_ABR_NAMES, 'none']),
  networks: v.optional(networkPreferencesSchema),
  carriage: v.optional(carriageKindSchema),
  remembered: v.optional(
    v.pipe(
      v.array(v.strictObject({ pathId: text, address: text, rateBps: nonNegative })),
      v.maxLength(limits.paths),
    ),
  ),
  // Logs of older versions may have it.
  estimator: v.optional(v.record(v.string(), finite)),
});

const requestDone = v.strictObject({
  requestId: count,
  mediaType: v.optional(mediaTypeSchema),
  startMs: nonNegative,
  firstByteMs: v.optional(nonNegative),
  endMs: nonNegative,
  bytes: nonNegative,
  earlyBytes: v.optional(nonNegative),
  // Logs of older versions have it.
  due: v.optional(v.strictObject({ bytes: nonNegative, ms: nonNegative, waits: count })),
  outcome: v.picklist(['ok', 'abandoned', 'failed']),
});

/** One entry of a `brain` event. */
export const brainEntrySchema: v.GenericSchema<unknown, BrainLogEntry> = v.variant('k', [
  v.strictObject({ k: v.literal('config'), config: brainConfig }),
  v.strictObject({ k: v.literal('samples'), at: nonNegative, lost: v.optional(nonNegative) }),
  v.strictObject({ k: v.literal('path'), event: pathEventSchema }),
  v.strictObject({
    k: v.literal('start'),
    requestId: count,
    mediaType: v.optional(mediaTypeSchema),
    startMs: nonNegative,
    pacedUntilMs: v.optional(nonNegative),
  }),
  v.strictObject({ k: v.literal('end'), request: requestDone }),
  v.strictObject({ k: v.literal('feed-ended') }),
  v.strictObject({
    k: v.literal('decide'),
    observation,
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
    decision: v.optional(decision),
  }),
]);

/** Fields of a `path-decision` event beside its type and time. */
export const pathDecisionFields = {
  policy: text,
  desired: wantedPathsSchema,
  sequence: v.optional(count),
  forecast: forecastSchema,
  reason: text,
};

/** Checks network preferences; the error names the field. */
export function parseNetworks(input: unknown): Parsed<NetworkWish[]> {
  return parse(networkPreferencesSchema, input, 'networks');
}
