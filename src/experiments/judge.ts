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

/** One value a trial, by the trial's seed. */
export type BySeed = ReadonlyMap<number, number>;

/** The values of each trial in which both have one. */
export function joinBySeed(ones: BySeed = new Map(), others: BySeed = new Map()): Pair[] {
  return [...ones].flatMap(([seed, one]): Pair[] => {
    const other = others.get(seed);
    return other === undefined || Number.isNaN(one - other) ? [] : [[one, other]];
  });
}

/** Mean of ours minus the reference. */
export const differenceOf = (pairs: readonly Pair[]): Estimate =>
  estimate(pairs.map(([ours, reference]) => ours - reference));

/** {@link isLess} of paired values. */
export const isLessByPairs = (pairs: readonly Pair[], negligible = 0): boolean | null =>
  byPairs(isLess, pairs, negligible);

/** {@link isMore} of paired values. */
export const isMoreByPairs = (pairs: readonly Pair[], negligible = 0): boolean | null =>
  byPairs(isMore, pairs, negligible);

function byPairs(judge: typeof isLess, pairs: readonly Pair[], negligible: number): boolean | null {
  const finite = pairs.filter(([ours, reference]) => Number.isFinite(ours - reference));
  const reference = mean(finite.map(([, one]) => one));
  if (reference === undefined) return null;
  return judge(differenceOf(finite), reference, negligible);
}
