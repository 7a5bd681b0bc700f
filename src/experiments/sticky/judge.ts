import { formatFixed, mean } from '../../core';
import { estimate } from '../../report';
import { allOf, isAbove, isBelow } from '../estimate';
import { isLess, isMore } from '../judge';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import { differences, type Trials } from './cells';

/** Values within this share of the reference, or within one event, are "similar". */
const SIMILAR = 0.25;
export const ONE_EVENT = 1;

/** Text of a side that was not simulated. */
export const NOT_SIMULATED = 'not simulated';

export type Judgement = Pick<ExperimentClaim, 'ours' | 'agrees'>;

/** Two sides of a statement: its subject, and the reference. */
export interface SchemeComparison {
  ours: Trials;
  reference: Trials;
  digits: number;
  unit?: string;
  /** A change by less than this counts as none, for "fewer" and "more": one event of a film. */
  negligible?: number;
}

/** "Fewer", "less", by pairs: see {@link isLess}. */
export function judgeLess(comparison: SchemeComparison): Judgement {
  const { difference, reference, text } = compare(comparison);
  return { ours: text, agrees: isLess(difference, reference, comparison.negligible) };
}

/** "More": see {@link isMore}. */
export function judgeMore(comparison: SchemeComparison): Judgement {
  const { difference, reference, text } = compare(comparison);
  return { ours: text, agrees: isMore(difference, reference, comparison.negligible) };
}

/**
 * "Similar". Agrees: the whole interval of the paired difference is within a quarter of the reference, or
 * within one event.
 */
export function judgeSimilar(comparison: SchemeComparison): Judgement {
  const { difference, reference, text } = compare(comparison);
  const margin = Math.max(SIMILAR * reference, ONE_EVENT);
  const isWithin = isBelow(difference, margin) === true && isAbove(difference, -margin) === true;
  const isOut = isAbove(difference, margin) === true || isBelow(difference, -margin) === true;
  return { ours: text, agrees: isWithin ? true : isOut ? false : null };
}

/** A statement of several parts: it differs if one does, and agrees if all do. */
export function all(parts: readonly { name: string; judgement: Judgement }[]): Judgement {
  return {
    ours: parts.map(({ name, judgement }) => `${name} ${judgement.ours}`).join('; '),
    agrees: allOf(parts.map(({ judgement }) => judgement.agrees)),
  };
}

function compare({ ours, reference, digits, unit }: SchemeComparison): {
  difference: Estimate;
  reference: number;
  text: string;
} {
  const difference = estimate(differences(ours, reference));
  const referenceMean = mean([...reference.values()]);
  const oursMean = mean([...ours.values()]);
  if (oursMean === undefined || referenceMean === undefined) {
    return { difference, reference: 0, text: NOT_SIMULATED };
  }
  const of = unit === undefined ? '' : ` ${unit}`;
  const text = `${formatFixed(oursMean, digits)} beside ${formatFixed(referenceMean, digits)}${of}`;
  return { difference, reference: referenceMean, text: text + intervalText(difference, digits) };
}

function intervalText({ low, high }: Estimate, digits: number): string {
  if (low === null || high === null) return '';
  const signed = (value: number): string => {
    const text = formatFixed(value, digits);
    return Number(text) > 0 ? `+${text}` : text;
  };
  return ` (difference ${signed(low)} to ${signed(high)})`;
}
