import { formatFixed, mean } from '../../core';
import { estimate, holm, pairedT } from '../../report';
import { isWithin, meansBySeed } from '../estimate';
import { isLess, isMore, minChange } from '../judge';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import { METRICS, type CellPair, type RunMetric } from './results';

type Judgement = Pick<ExperimentClaim, 'ours' | 'agrees'>;

/** A comparison of two sides in one metric, network by network. */
export interface Comparison {
  metric: RunMetric;
  pairs: readonly CellPair[];
}

export const NOTHING = 'nothing was run';
/** Switches are events: less than one in a film is no difference. */
const ONE_SWITCH = 1;
/** Outages that differ by less than this share of the longer one are equally long. */
const SAME_OUTAGE = 0.02;
/** A size agrees from half to twice the paper's. */
const SIZE_FACTOR = 2;
/** Significance after Holm's correction. */
const SIGNIFICANT = 0.05;

/** The differences of the trials, and the size that they are measured by. */
interface TrialDifferences {
  differences: number[];
  /** Undefined: nothing can differ, as there is no outage on either side. */
  reference: number | undefined;
}

/**
 * One difference a trial, for the networks of a trial share its seed. Bitrate and switches: the mean over the
 * networks. Outages, which are heavy-tailed: the share of networks with a longer one less that with a shorter one.
 */
function trialDifferences({ metric, pairs }: Comparison): TrialDifferences {
  const isOutage = metric === 'outage';
  const differences = byTrial(pairs, ([ours, reference]) =>
    isOutage ? longer(ours, reference) : ours - reference,
  );
  if (!isOutage) return { differences, reference: mean(pairs.map(({ pair }) => pair[1])) };
  return {
    differences,
    reference: pairs.some(({ pair }) => Math.max(...pair) > 0) ? 1 : undefined,
  };
}

/** Means of the trials. */
const byTrial = (pairs: readonly CellPair[], of: (pair: CellPair['pair']) => number): number[] =>
  meansBySeed(pairs.map(({ seed, pair }) => ({ seed, value: of(pair) })));

/** 1: the first outage is longer, -1: shorter, 0: equal. */
function longer(one: number, other: number): number {
  const isSame = Math.abs(one - other) <= SAME_OUTAGE * Math.max(one, other);
  return isSame ? 0 : Math.sign(one - other);
}

const negligible = (metric: RunMetric): number => (metric === 'switches' ? ONE_SWITCH : 0);

/** "Less", "shorter": see {@link isLess}. */
export function isLessIn(comparison: Comparison): boolean | null {
  const { differences, reference } = trialDifferences(comparison);
  if (reference === undefined) return null;
  return isLess(estimate(differences), reference, negligible(comparison.metric));
}

/** "More", "longer": see {@link isMore}. */
export function isMoreIn(comparison: Comparison): boolean | null {
  const { differences, reference } = trialDifferences(comparison);
  if (reference === undefined) return null;
  return isMore(estimate(differences), reference, negligible(comparison.metric));
}

/** "2364 beside 2282 kbit/s: +82 (+51 to +113), 10 trials"; an outage with its counts. */
export function comparisonText(comparison: Comparison): string {
  const { metric, pairs } = comparison;
  if (pairs.length === 0) return NOTHING;
  const { unit, digits } = METRICS[metric];
  const side = (at: 0 | 1): string =>
    formatFixed(mean(pairs.map(({ pair }) => pair[at])) ?? NaN, digits);
  const means = `${side(0)} beside ${side(1)} ${unit}`;
  const trials = `${trialDifferences(comparison).differences.length} trials`;
  if (metric !== 'outage') return `${means}: ${differenceText(comparison)}, ${trials}`;
  const count = (sign: number): number =>
    pairs.filter(({ pair: [one, other] }) => longer(one, other) === sign).length;
  return `${means}; shorter in ${count(-1)}, longer in ${count(1)} of ${pairs.length} pairs: ${differenceText(comparison)}, ${trials}`;
}

/** "+82 (+51 to +113)", for outages "-13 (-24 to -3) %" of the pairs. */
function differenceText(comparison: Comparison): string {
  const { metric } = comparison;
  const { differences } = trialDifferences(comparison);
  if (metric !== 'outage') return signedText(estimate(differences), METRICS[metric].digits);
  return `${signedText(estimate(differences.map((one) => 100 * one)), 0)} %`;
}

/** "+82 (+51 to +113)". */
export function signedText({ mean: centre, low, high }: Estimate, digits: number): string {
  const signed = (value: number): string => {
    const text = formatFixed(value, digits);
    return Number(text) > 0 ? `+${text}` : text;
  };
  if (centre === null) return '-';
  const range = low === null || high === null ? '' : ` (${signed(low)} to ${signed(high)})`;
  return signed(centre) + range;
}

/** Change of the mean in percent of the reference's mean. */
function changePercent({ pairs }: Comparison): Estimate {
  const reference = mean(pairs.map(({ pair }) => pair[1])) ?? 0;
  return estimate(byTrial(pairs, ([ours, other]) => (100 * (ours - other)) / reference));
}

/**
 * A change of a size: the whole interval is from half to twice the paper's.
 * @param paper percent, negative for a decrease
 */
export function judgeChange(comparison: Comparison, paper: number): Judgement {
  const percent = changePercent(comparison);
  if (percent.mean === null) return { ours: NOTHING, agrees: null };
  return {
    ours: `${signedText(percent, 1)} %; ${comparisonText(comparison)}`,
    agrees: isOfSize(percent, paper),
  };
}

/** From half to twice the paper's value; null if the interval crosses a limit. */
export function isOfSize(value: Estimate, paper: number): boolean | null {
  const limits = [paper / SIZE_FACTOR, paper * SIZE_FACTOR];
  return isWithin(value, Math.min(...limits), Math.max(...limits));
}

/** One of the comparisons that a statement about each network, or about each rival, consists of. */
export interface Part {
  name: string;
  agrees: boolean | null;
  /** The mean is as said, beyond chance or not. */
  isSo: boolean;
  /** Probability of at least this contradiction by chance; 1 without one. */
  contrary: number;
}

/** "More" (or "less") in one of several comparisons. */
export function part(name: string, comparison: Comparison, isMoreSaid: boolean): Part {
  const { differences, reference } = trialDifferences(comparison);
  if (reference === undefined) return { name, agrees: null, isSo: false, contrary: 1 };
  const agrees = isMoreSaid ? isMoreIn(comparison) : isLessIn(comparison);
  const margin = minChange(reference, negligible(comparison.metric));
  const said = differences.map((one) => (isMoreSaid ? one : -one));
  return {
    name: `${name} ${differenceText(comparison)}`,
    agrees,
    isSo: (mean(said) ?? 0) > 0,
    contrary: contrary(said.map((one) => one - margin)),
  };
}

/** p of values whose mean should not be below 0; 1 if it is not. */
export function contrary(values: readonly number[]): number {
  return (mean(values) ?? 0) < 0 ? (pairedT(values) ?? 1) : 1;
}

/**
 * A statement about each of several. It agrees if it does beyond chance for each. It differs if it is contradicted
 * for one, after Holm's correction, for among many one contradicts by chance.
 */
export function judgeEach(parts: readonly Part[]): Judgement {
  if (parts.length === 0) return { ours: NOTHING, agrees: null };
  const corrected = holm(parts.map((one) => one.contrary));
  const against = parts.filter((_, index) => (corrected[index] ?? 1) < SIGNIFICANT);
  const count = parts.filter(({ agrees }) => agrees === true).length;
  const means = parts.filter(({ isSo }) => isSo).length;
  const names = against.map(({ name }) => name).join('; ');
  return {
    ours: `so in ${means} of ${parts.length}, beyond chance in ${count}; contradicted ${against.length > 0 ? `by ${names}` : 'by none'}`,
    agrees: against.length > 0 ? false : count === parts.length ? true : null,
  };
}
