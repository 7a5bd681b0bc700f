import { mean } from '../core';
import { estimate } from '../report';
import { isAbove, isBelow } from './estimate';
import type { Estimate } from '../report';

/** A change by less than this share of the reference counts as none. */
const MIN_CHANGE = 0.02;

/** A value, and the value of the same trial that it is compared with. */
export type Pair = readonly [ours: number, reference: number];

/**
 * "Less". False: the whole interval of the difference is above -2 % of the reference, so the change is negligible or has
 * the other sign. True: the whole interval is below 0 otherwise. Null: chance may explain the difference, or the
 * reference is 0 and is not exceeded.
 * @param difference ours minus the reference
 * @param reference its mean
 * @param negligible a change by less than this counts as none too
 */
export function isLess(difference: Estimate, reference: number, negligible = 0): boolean | null {
  if (reference === 0) return isAbove(difference, 0) === true ? false : null;
  if (isAbove(difference, -minChange(reference, negligible)) === true) return false;
  return isBelow(difference, 0) === true ? true : null;
}

/** "More": reverse of {@link isLess}; any increase from 0 is more. */
export function isMore(difference: Estimate, reference: number, negligible = 0): boolean | null {
  if (isBelow(difference, minChange(reference, negligible)) === true) return false;
  return isAbove(difference, 0) === true ? true : null;
}

/** The least change that counts. @param negligible a change by less than this counts as none too */
export const minChange = (reference: number, negligible = 0): number =>
  Math.max(MIN_CHANGE * Math.abs(reference), negligible);

/** {@link isLess} of paired values. */
export const isLessByPairs = (pairs: readonly Pair[]): boolean | null => byPairs(isLess, pairs);

/** {@link isMore} of paired values. */
export const isMoreByPairs = (pairs: readonly Pair[]): boolean | null => byPairs(isMore, pairs);

function byPairs(
  judge: (difference: Estimate, reference: number) => boolean | null,
  pairs: readonly Pair[],
): boolean | null {
  const finite = pairs.filter(([ours, reference]) => Number.isFinite(ours - reference));
  const reference = mean(finite.map(([, one]) => one));
  if (reference === undefined) return null;
  return judge(estimate(finite.map(([ours, beside]) => ours - beside)), reference);
}
