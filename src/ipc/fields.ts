import * as v from 'valibot';
import { limits } from './limits';

/** Fields that most messages have. */
export const text = v.pipe(v.string(), v.maxLength(limits.textChars));
export const finite = v.pipe(v.number(), v.finite());
export const nonNegative = v.pipe(finite, v.minValue(0));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** -1: no rung yet. */
export const rungIndex = v.pipe(v.number(), v.integer(), v.minValue(-1));
