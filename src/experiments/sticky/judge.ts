import { formatFixed, mean } from '../../core';
import { allOf, isAbove, isBelow, isWithin } from '../estimate';
import { SIGN_ONLY } from '../explain';
import { differenceOf, isLess, isMore, joinBySeed } from '../judge';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import type { Trials } from './cells';

/**
 * Underflows and discards: the share of the reference that a clear change exceeds; at least one event of a film.
 * The paper reads "clearly", "best" and "similar" off bars of these counts (Figs. 4, 7, 8).
 */
const CLEAR = 0.1;
const ONE_EVENT = 1;
/** Percent: the same margin for savings that are a share of DFT's events. */
export const CLEAR_PERCENT = 100 * CLEAR;

/** Text of a side that was not simulated. */
export const NOT_SIMULATED = 'not simulated';

/** Reason of a statement that differs by the size of the change alone. */
const TOO_SMALL = `The ${SIGN_ONLY}`;

export type Judgement = Pick<ExperimentClaim, 'ours' | 'agrees' | 'why'>;
export interface NamedJudgement {
  name: string;
  judgement: Judgement;
}

/** Two sides of a statement: its subject, and the reference. */
export interface SchemeComparison {
  ours: Trials;
  reference: Trials;
  digits: number;
  unit?: string;
  /** Counts of events of a film: a tenth is the margin. */
  isEvents?: boolean;
  /** A margin in the values' unit. */
  margin?: number;
}

/** "Fewer", "less", by pairs: the whole interval is beyond the margin. Without a margin: {@link isLess}. */
export function judgeLess(comparison: SchemeComparison): Judgement {
  const { difference, reference, text, margin } = compare(comparison);
  const agrees =
    margin === undefined ? isLess(difference, reference) : isBelow(difference, -margin);
  return judged(text, agrees, isBelow(difference, 0));
}

/** "More": reverse of {@link judgeLess}. */
export function judgeMore(comparison: SchemeComparison): Judgement {
  const { difference, reference, text, margin } = compare(comparison);
  const agrees = margin === undefined ? isMore(difference, reference) : isAbove(difference, margin);
  return judged(text, agrees, isAbove(difference, 0));
}

/**
 * "Similar" counts of events. Agrees: the whole interval of the paired difference is within the margin that
 * "fewer" and "more" exceed, so two of them never agree both.
 */
export function judgeSimilar(comparison: SchemeComparison): Judgement {
  const { difference, reference, text } = compare(comparison);
  const margin = clearMargin(reference);
  return { ours: text, agrees: isWithin(difference, -margin, margin) };
}

/** A statement of several parts: it differs if one does, and agrees if all do. */
export function all(parts: readonly NamedJudgement[]): Judgement {
  const agrees = allOf(parts.map(({ judgement }) => judgement.agrees));
  const failing = parts.filter(({ judgement }) => judgement.agrees === false);
  const open = agrees === null ? parts.filter(({ judgement }) => judgement.agrees === null) : [];
  const small = failing.filter(({ judgement }) => judgement.why === TOO_SMALL);
  const why = [
    ...(open.length > 0 && open.length < parts.length
      ? [`These trials do not decide it with ${names(open)}.`]
      : []),
    ...(failing.length > 0 && failing.length < parts.length
      ? [`It differs with ${names(failing)}.`]
      : []),
    ...(small.length === 0
      ? []
      : small.length === failing.length
        ? [TOO_SMALL]
        : [`With ${names(small)} the ${SIGN_ONLY}`]),
  ].join(' ');
  return { ours: together(parts), agrees, ...(why === '' ? {} : { why }) };
}

/**
 * A statement that holds if enough of its parts do: "may", "not necessarily" (one), "most" (more than half).
 * Differs if too few can.
 */
export function atLeast(count: number, parts: readonly NamedJudgement[]): Judgement {
  const verdicts = parts.map(({ judgement }) => judgement.agrees);
  const isReached = verdicts.filter((agrees) => agrees === true).length >= count;
  const isOutOfReach = verdicts.filter((agrees) => agrees !== false).length < count;
  return { ours: together(parts), agrees: isReached ? true : isOutOfReach ? false : null };
}

function judged(ours: string, agrees: boolean | null, hasSign: boolean | null): Judgement {
  return { ours, agrees, ...(agrees === false && hasSign === true ? { why: TOO_SMALL } : {}) };
}

const clearMargin = (reference: number): number => Math.max(CLEAR * reference, ONE_EVENT);

const names = (parts: readonly NamedJudgement[]): string =>
  parts.map(({ name }) => name).join(' and ');

const together = (parts: readonly NamedJudgement[]): string =>
  parts.map(({ name, judgement }) => `${name} ${judgement.ours}`).join('; ');

function compare({ ours, reference, digits, unit, isEvents, margin }: SchemeComparison): {
  difference: Estimate;
  reference: number;
  text: string;
  margin: number | undefined;
} {
  const pairs = joinBySeed(ours, reference);
  const difference = differenceOf(pairs);
  const [oursMean, referenceMean] = [
    mean(pairs.map(([one]) => one)),
    mean(pairs.map(([, one]) => one)),
  ];
  if (oursMean === undefined || referenceMean === undefined) {
    return { difference, reference: 0, text: NOT_SIMULATED, margin };
  }
  // A share of DFT's events is unknown in a trial in which it has none.
  const all = Math.max(ours.size, reference.size);
  const some = pairs.length < all ? `, ${pairs.length} of ${all} trials` : '';
  const of = unit === undefined ? '' : ` ${unit}`;
  const text = `${formatFixed(oursMean, digits)} beside ${formatFixed(referenceMean, digits)}${of}`;
  return {
    difference,
    reference: referenceMean,
    text: text + intervalText(difference, digits) + some,
    margin: isEvents === true ? clearMargin(referenceMean) : margin,
  };
}

function intervalText({ low, high }: Estimate, digits: number): string {
  if (low === null || high === null) return '';
  const signed = (value: number): string => {
    const text = formatFixed(value, digits);
    return Number(text) > 0 ? `+${text}` : text;
  };
  return ` (difference ${signed(low)} to ${signed(high)})`;
}
