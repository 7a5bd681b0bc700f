import jstat from 'jstat';
import { mean } from '../../core';
import { estimate, type Estimate } from '../../report';
import { isAbove, isBelow } from '../estimate';
import { minChange } from '../judge';
import type { Rule } from './statement-parts';

const { studentt } = jstat.jStat;

/** A quantity of one side, by trial. */
export interface Measured {
  label: string;
  values: ReadonlyMap<number, number>;
}

/** Two sides of a comparison, in one unit. The other side may be a value of the paper's text. */
export interface Sides {
  subject: Measured;
  rival: Measured | number;
}

/** A comparison over the trials that both sides have, with its verdict. */
export interface Comparison extends Sides {
  agrees: boolean | null;
  /** The subject's mean less the rival's. The interval is the one that decided. */
  gap: Estimate;
  /** Means of both sides. */
  ours: number;
  beside: number;
  /** The smaller, the more it speaks against the statement. */
  order: number;
  /** Number of trials from which it would agree, or differ, if the means stay; infinite if they speak against it. */
  runs: { toAgree: number; toDiffer: number };
}

export const centre = ({ values }: Measured): number => mean([...values.values()]) ?? NaN;

function differences({ subject, rival }: Sides): number[] {
  return [...subject.values].flatMap(([trial, value]) => {
    const beside = typeof rival === 'number' ? rival : rival.values.get(trial);
    return beside === undefined ? [] : value - beside;
  });
}

/** The 95 % interval widened, so that those of all `comparisons` hold at once (Bonferroni). */
function widened(gap: Estimate, comparisons: number): Estimate {
  const { count, mean: value, low, high } = gap;
  if (value === null || low === null || high === null) return gap;
  const point = (share: number): number => studentt.inv(1 - share / 2, count - 1);
  const half = ((high - low) / 2) * (point(0.05 / comparisons) / point(0.05));
  return { count, mean: value, low: value - half, high: value + half };
}

function negative({ count, mean: value, low, high }: Estimate): Estimate {
  const minus = (one: number | null): number | null => (one === null ? null : -one);
  return { count, mean: minus(value), low: minus(high), high: minus(low) };
}

type Decision = Pick<Comparison, 'agrees' | 'order' | 'runs'>;

/** Trials until the interval, which shrinks with the root of their number, leaves out a limit. */
function runsUntil(gap: Estimate, limit: number): number {
  const { count, mean: value, low } = gap;
  if (value === null || low === null) return Infinity;
  return count * ((value - low) / (value - limit)) ** 2;
}

/** Agrees: ahead, by more than chance explains. Differs: a lead of 2 % is excluded. */
function ahead(lead: Estimate, wide: Estimate, beside: number): Decision {
  const value = lead.mean ?? NaN;
  const least = minChange(beside);
  const agrees = isAbove(lead, 0) === true ? true : isBelow(wide, least) === true ? false : null;
  return {
    agrees,
    order: value,
    runs: {
      toAgree: value > 0 ? runsUntil(lead, 0) : Infinity,
      toDiffer: value < least ? runsUntil(wide, least) : Infinity,
    },
  };
}

/** Agrees: the whole interval is within the limit on both sides. Differs: all of it is outside. */
function near(gap: Estimate, wide: Estimate, limit: number): Decision {
  const distance = Math.abs(gap.mean ?? NaN);
  const isWithin = isBelow(gap, limit) === true && isAbove(gap, -limit) === true;
  const isOutside = isAbove(wide, limit) === true || isBelow(wide, -limit) === true;
  const next = (gap.mean ?? 0) < 0 ? -limit : limit;
  return {
    agrees: isWithin ? true : isOutside ? false : null,
    order: limit - distance,
    runs: {
      toAgree: distance < limit ? runsUntil(gap, next) : Infinity,
      toDiffer: distance > limit ? runsUntil(wide, next) : Infinity,
    },
  };
}

/**
 * Judges one of a statement's comparisons.
 * @param comparisons of the statement: one that differs suffices against it, so its interval is corrected for their number
 */
export function compare(sides: Sides, rule: Rule, comparisons: number): Comparison {
  const { subject, rival } = sides;
  const gap = estimate(differences(sides));
  const wide = widened(gap, comparisons);
  const ours = centre(subject);
  const beside = typeof rival === 'number' ? rival : centre(rival);
  const smaller = Math.min(Math.abs(ours), Math.abs(beside));
  const decision =
    rule === 'highest'
      ? ahead(gap, wide, beside)
      : rule === 'lowest'
        ? ahead(negative(gap), negative(wide), beside)
        : near(gap, wide, 'limit' in rule ? rule.limit : rule.within * smaller);
  return { ...sides, ...decision, gap: decision.agrees === true ? gap : wide, ours, beside };
}
