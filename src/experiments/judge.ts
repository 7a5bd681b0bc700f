import { mean } from '../core';
import { estimate, isAbove, isBelow } from './estimate';
import type { Estimate } from './types';

/** A change by less than this share of the reference is none worth its name. */
const LEAST_CHANGE = 0.02;

/** A value, and the one of the same trial that it is compared with. */
export type Pair = readonly [ours: number, reference: number];

/**
 * "Less". True: the whole interval of the difference is below 0. False: it leaves out everything below 2 % less than the
 * reference, so there is no change to speak of, or one the other way. Null: chance may have made it, or there is nothing
 * to improve: a reference of 0 that is not exceeded.
 * @param difference ours less the reference @param reference its mean
 */
export function isLess(difference: Estimate, reference: number): boolean | null {
  if (reference === 0) return isAbove(difference, 0) === true ? false : null;
  if (isBelow(difference, 0) === true) return true;
  return isAbove(difference, -LEAST_CHANGE * Math.abs(reference)) === true ? false : null;
}

/** "More": as {@link isLess}, the other way round; more than nothing is more. */
export function isMore(difference: Estimate, reference: number): boolean | null {
  if (isAbove(difference, 0) === true) return true;
  return isBelow(difference, LEAST_CHANGE * Math.abs(reference)) === true ? false : null;
}

/** {@link isLess} of values by pairs. */
export const isLessByPairs = (pairs: readonly Pair[]): boolean | null => byPairs(isLess, pairs);

/** {@link isMore} of values by pairs. */
export const isMoreByPairs = (pairs: readonly Pair[]): boolean | null => byPairs(isMore, pairs);

function byPairs(judge: typeof isLess, pairs: readonly Pair[]): boolean | null {
  const told = pairs.filter(([ours, reference]) => Number.isFinite(ours - reference));
  const reference = mean(told.map(([, one]) => one));
  if (reference === undefined) return null;
  return judge(estimate(told.map(([ours, beside]) => ours - beside)), reference);
}
