import { formatFixed, formatShare, mean } from '../../core';
import { isAbove, isBelow } from '../estimate';
import type { Estimate } from '../../report';
import type { MasterScope } from '../../sim';
import type { ExperimentClaim } from '../types';
import {
  controlLabel,
  COUPLED,
  labelOf,
  PATH_LEVEL,
  type Control,
  type Coupled,
  type PathLevel,
} from './job';
import { TABLE_3, type QuantityName } from './paper';
import { difference, type CcValues } from './values';

/** The readings of the paper, and how a claim names them. */
const READINGS = [
  { scope: 'total', label: 'as Fig. 1' },
  { scope: 'per-path', label: 'path by path' },
] as const;

type Pair = (coupled: Coupled, path: PathLevel) => Control;

const pairIn =
  (scope: MasterScope): Pair =>
  (coupled, path) => ({ kind: 'pair', coupled, path, scope });

/** The subject of a comparison: one pair, or a coupled control over all three path-level ones. */
interface Candidate {
  label: string;
  values: ReadonlyMap<number, number>;
}

const centre = ({ values }: Candidate): number => mean([...values.values()]) ?? NaN;

/** The extreme that a statement names: the candidate is the highest, or the lowest. */
type Extreme = 'highest' | 'lowest';

/** Share of the rival's value: a smaller lead counts as none. */
const MIN_LEAD = 0.02;

/**
 * Agrees: the candidate leads the others, by more than chance explains. Differs: it does not lead, and a lead of 2 % is
 * excluded, so another one leads, or both are level.
 */
function judgeExtreme(
  candidate: Candidate,
  all: readonly Candidate[],
  extreme: Extreme,
  name: QuantityName,
): Pick<ExperimentClaim, 'ours' | 'agrees' | 'why'> {
  const sign = extreme === 'highest' ? 1 : -1;
  const others = all.filter((one) => one !== candidate && one.values.size > 0);
  const [rival] = [...others].sort((a, b) => sign * (centre(b) - centre(a)));
  if (rival === undefined || candidate.values.size === 0) {
    return { ours: 'not measured', agrees: null };
  }
  const { unit, digits } = TABLE_3[name];
  const isAhead = sign * (centre(candidate) - centre(rival)) >= 0;
  const gap = difference(candidate.values, rival.values);
  const valueText = (one: Candidate): string =>
    `${one.label} ${formatFixed(centre(one), digits)} ${unit}`;
  const lead = extreme === 'highest' ? gap : flipped(gap);
  const least = MIN_LEAD * Math.abs(centre(rival));
  const isDecided = (isAhead ? isAbove(lead, 0) : isBelow(lead, least)) === true;
  const agrees = isDecided ? isAhead : null;
  return {
    ours: `${valueText(candidate)}; ${isAhead ? 'next' : extreme} is ${valueText(rival)} (difference ${rangeText(gap, digits)})`,
    agrees,
    ...(agrees === null ? { why: runsToDecide(lead, isAhead ? 0 : least) } : {}),
  };
}

/** More runs than this are no plan. */
const MAX_RUNS = 10_000;

/** The interval shrinks with the root of the number of runs, until it leaves out the limit. */
function runsToDecide({ count, mean: value, low }: Estimate, limit: number): string {
  if (value === null || low === null) return 'One run decides nothing.';
  const runs = Math.ceil(count * ((value - low) / (value - limit)) ** 2);
  return runs <= MAX_RUNS
    ? `About ${runs} runs decide it if the means stay.`
    : `Not decided by ${MAX_RUNS} runs.`;
}

function flipped({ count, mean: value, low, high }: Estimate): Estimate {
  const negative = (one: number | null): number | null => (one === null ? null : -one);
  return { count, mean: negative(value), low: negative(high), high: negative(low) };
}

function rangeText({ mean: value, low, high }: Estimate, digits: number): string {
  if (value === null) return 'unknown';
  const range =
    low === null || high === null
      ? ''
      : `, ${formatFixed(low, digits)} to ${formatFixed(high, digits)}`;
  return `${formatFixed(value, digits)}${range}`;
}

interface Statement {
  place: string;
  paper: string;
  name: QuantityName;
  extreme: Extreme;
  /** A pair among the pairs, or a coupled control among the coupled ones. */
  who: readonly [Coupled, PathLevel] | Coupled;
}

const STATEMENTS: readonly Statement[] = [
  {
    ...{ place: '3.1.5', name: 'goodputMean', extreme: 'highest', who: 'balia' },
    paper: 'BALIA has the highest throughput whatever is at the path level',
  },
  {
    ...{ place: '3.1.5', name: 'goodputMean', extreme: 'highest', who: ['balia', 'reno'] },
    paper: 'BALIA with Reno has the highest throughput of all pairs',
  },
  {
    ...{ place: '3.1.5', name: 'goodputMean', extreme: 'lowest', who: 'wvegas' },
    paper: 'wVegas has the lowest throughput whatever is at the path level',
  },
  {
    ...{ place: '3.1.3', name: 'protocolMean', extreme: 'highest', who: ['lia', 'bbr'] },
    paper: 'LIA with BBR has the highest average protocol delay (Table 3: wVegas with Reno)',
  },
  {
    ...{ place: '3.1.3', name: 'protocolMax', extreme: 'highest', who: ['wvegas', 'reno'] },
    paper: 'wVegas with Reno has the highest maximum of the protocol delay',
  },
  {
    ...{ place: '3.1.4', name: 'holMean', extreme: 'highest', who: ['wvegas', 'reno'] },
    paper: 'wVegas with Reno has the highest HoL degree',
  },
  {
    ...{ place: '3.1.4', name: 'holMean', extreme: 'lowest', who: 'balia' },
    paper: 'BALIA (with Reno, with BBR) has the lowest HoL degree',
  },
  {
    ...{ place: '3.1.2', name: 'srtt2Max', extreme: 'highest', who: 'balia' },
    paper: 'BALIA has the highest maximum of the round trip (path 2)',
  },
  {
    ...{ place: 'Table 3', name: 'srtt2Max', extreme: 'lowest', who: 'wvegas' },
    paper: 'wVegas has the lowest maximum of the round trip (path 2)',
  },
  {
    ...{ place: '3.1.1', name: 'drops1', extreme: 'lowest', who: ['lia', 'bbr'] },
    paper: 'LIA with BBR has the lowest drop rate (path 1)',
  },
];

function claimOf(
  values: CcValues,
  pair: Pair,
  { place, paper, name, extreme, who }: Statement,
): ExperimentClaim {
  const named = (control: Control): Candidate => ({
    label: controlLabel(control),
    values: values.of(control, name),
  });
  const family = (coupled: Coupled): Candidate => ({
    label: labelOf(coupled),
    values: values.ofAll(
      PATH_LEVEL.map((path) => pair(coupled, path)),
      name,
    ),
  });
  const isFamily = typeof who === 'string';
  const all = isFamily
    ? COUPLED.map(family)
    : COUPLED.flatMap((coupled) => PATH_LEVEL.map((path) => named(pair(coupled, path))));
  const place0 = isFamily
    ? COUPLED.indexOf(who)
    : COUPLED.indexOf(who[0]) * PATH_LEVEL.length + PATH_LEVEL.indexOf(who[1]);
  const candidate = all[place0];
  return candidate === undefined
    ? { place, paper, ours: 'not measured', agrees: null }
    : { place, paper, ...judgeExtreme(candidate, all, extreme, name) };
}

/** Table 3's throughputs of one coupled control differ by at most 15 %. */
const NEAR = 0.15;

function pathLevelClaim(values: CcValues, pair: Pair): ExperimentClaim {
  const spreads = COUPLED.map((coupled) => {
    const all = PATH_LEVEL.map((path) => values.of(pair(coupled, path), 'goodputMean'));
    const sorted = [...all].sort(
      (a, b) => (mean([...b.values()]) ?? NaN) - (mean([...a.values()]) ?? NaN),
    );
    const [most = new Map<number, number>()] = sorted;
    const least = sorted.at(-1) ?? most;
    const base = mean([...least.values()]) ?? NaN;
    const { mean: gap, low, high } = difference(most, least);
    return { coupled, gap, low, high, base };
  }).filter(({ gap }) => gap !== null);
  const shares = spreads.map(({ coupled, gap, base }) => ({
    text: `${labelOf(coupled)} ${formatShare((gap ?? 0) / base)}`,
  }));
  const isNear = spreads.every(({ high, base }) => high !== null && high <= NEAR * base);
  const isFar = spreads.some(({ low, base }) => low !== null && low > NEAR * base);
  return {
    place: 'Table 3',
    paper: 'what is at the path level changes the throughput by 15 % at most',
    ours: shares.length === 0 ? 'not measured' : shares.map(({ text }) => text).join(', '),
    agrees: spreads.length === 0 ? null : isNear ? true : isFar ? false : null,
  };
}

/** The paper's statements beside our values, each under both readings. */
export function claimsOf(values: CcValues): ExperimentClaim[] {
  const byReading = READINGS.map(({ scope, label }) => {
    const pair = pairIn(scope);
    const claims = STATEMENTS.map((statement) => claimOf(values, pair, statement));
    return [...claims, pathLevelClaim(values, pair)].map((claim) => ({
      ...claim,
      place: `${claim.place}, ${label}`,
    }));
  });
  return byReading.flat();
}
