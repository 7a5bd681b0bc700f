import { MEDIA_TYPES } from '../core';
import * as v from 'valibot';
import { limits } from './limits';
import { count, nonNegative, text } from './fields';

export const mediaTypeSchema = v.picklist(MEDIA_TYPES);

export const ladderSchema = v.strictObject({
  mediaType: mediaTypeSchema,
  rungs: v.pipe(
    v.array(
      v.strictObject({
        index: count,
        representationId: text,
        bitrateBps: nonNegative,
        width: v.optional(count),
        height: v.optional(count),
        codecs: v.optional(text),
      }),
    ),
    v.maxLength(limits.rungs),
  ),
});

export const forecastSchema = v.strictObject({
  rateBps: nonNegative,
  safeRateBps: nonNegative,
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  basis: v.picklist(['paths', 'requests']),
  paths: v.pipe(
    v.array(
      v.strictObject({
        pathId: text,
        rateBps: nonNegative,
        safeRateBps: nonNegative,
        usable: v.boolean(),
      }),
    ),
    v.maxLength(limits.subflows),
  ),
});
