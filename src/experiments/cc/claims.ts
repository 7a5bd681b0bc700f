import { formatFixed } from '../../core';
import { allOf } from '../estimate';
import type { Estimate } from '../../report';
import type { MasterScope } from '../../sim';
import type { ExperimentClaim } from '../types';
import { centre, compare, type Comparison, type Measured, type Sides } from './comparison';
import { paperValue, quantityOf } from './paper';
import type { Rule, Statement, Subject } from './statement-parts';
import type { CcValues } from './values';

/** The readings of the paper, and how a claim names them. */
export const READINGS = [
  { scope: 'total', label: 'as Fig. 1' },
  { scope: 'per-path', label: 'path by path' },
] as const satisfies readonly { scope: MasterScope; label: string }[];

/** In place of our values, if the runs have none. */
export const NOT_MEASURED = 'not measured';

/** More runs than this are no plan. */
const MAX_RUNS = 10_000;

/** Of the comparisons with the statement's verdict, the one that speaks most against it. */
const deciding = (all: readonly Comparison[], agrees: boolean | null): Comparison | undefined =>
  all.filter((one) => one.agrees === agrees).sort((one, other) => one.order - other.order)[0];

/** Place of the rival beside the subject: "next is", "highest is". */
function wordOf(
  { subject, rival, gap, beside, agrees }: Comparison,
  all: readonly Sides[],
  rule: Rule,
): string {
  if (typeof rule !== 'string' || typeof rival === 'number') return 'beside it';
  const sign = rule === 'highest' ? 1 : -1;
  if (sign * (gap.mean ?? 0) >= 0) return agrees === false ? 'level with it is' : 'next is';
  const isFirst = all.every(
    ({ subject: other, rival: one }) =>
      other.label !== subject.label ||
      typeof one === 'number' ||
      sign * (centre(one) - beside) <= 0,
  );
  return isFirst ? `${rule} is` : rule === 'highest' ? 'above it is' : 'below it is';
}

function rangeText({ mean: value, low, high }: Estimate, digits: number): string {
  if (value === null) return 'unknown';
  const range =
    low === null || high === null
      ? ''
      : `, ${formatFixed(low, digits)} to ${formatFixed(high, digits)}`;
  return `${formatFixed(value, digits)}${range}`;
}

function rivalLabel({ rival }: Sides, rule: Rule): string {
  if (typeof rival !== 'number') return rival.label;
  if (rival === 0) return 'a flat course';
  return typeof rule === 'string' ? 'the bound' : 'the text';
}

/** Runs until one comparison differs, or until all agree. */
function runsToDecide(all: readonly Comparison[]): string {
  const toAgree = Math.max(...all.map(({ runs }) => runs.toAgree));
  const runs = Math.min(toAgree, ...all.map(({ runs }) => runs.toDiffer));
  return runs <= MAX_RUNS
    ? `About ${Math.ceil(runs)} runs decide it if the means stay.`
    : `Not decided by ${MAX_RUNS} runs.`;
}

interface Judged {
  agrees: boolean | null;
  all: readonly Comparison[];
  /** The comparison that decides, as text, and the difference of its sides. */
  sides: string;
  difference: string;
}

/**
 * Makes all comparisons of a statement. Undefined if nothing is measured.
 * @param valuesOf a subject's values by trial
 */
function judge(
  { rule, comparisons }: Statement,
  valuesOf: (subject: Subject) => ReadonlyMap<number, number>,
): Judged | undefined {
  const measured = (subject: Subject): Measured => ({
    label: subject.label,
    values: valuesOf(subject),
  });
  const sides = comparisons
    .map(([subject, rival]) => ({
      subject: measured(subject),
      rival: typeof rival === 'number' ? rival : measured(rival),
    }))
    .filter(
      ({ subject, rival }) =>
        subject.values.size > 0 && (typeof rival === 'number' || rival.values.size > 0),
    );
  const all = sides.map((one) => compare(one, rule, comparisons.length));
  // A comparison that lacks a side may still speak against the statement.
  const lacking = comparisons.slice(all.length).map(() => null);
  const agrees = allOf([...all.map((one) => one.agrees), ...lacking]);
  const one = deciding(all, agrees);
  const name = comparisons[0]?.[0].name;
  if (one === undefined || name === undefined) return undefined;
  const { unit, digits } = quantityOf(name);
  const number = (value: number): string => `${formatFixed(value, digits)} ${unit}`;
  const rival = `${wordOf(one, sides, rule)} ${rivalLabel(one, rule)} ${number(one.beside)}`;
  return {
    agrees,
    all,
    sides: `${one.subject.label} ${number(one.ours)}; ${rival}`,
    difference: rangeText(one.gap, digits),
  };
}

function claimOf(judged: Judged | undefined): Pick<ExperimentClaim, 'ours' | 'agrees' | 'why'> {
  if (judged === undefined)
    return { ours: NOT_MEASURED, agrees: null, why: 'These runs do not have the value.' };
  const { agrees, all, sides, difference } = judged;
  return {
    ours: `${sides} (difference ${difference})`,
    agrees,
    ...(agrees === null ? { why: runsToDecide(all) } : {}),
  };
}

/** A subject's value in Table 3. */
function inTable3({ pairs, name }: Subject): ReadonlyMap<number, number> {
  const values = pairs.flatMap(([coupled, path]) => paperValue(name, coupled, path) ?? []);
  if (values.length < pairs.length) return new Map();
  return new Map([[1, values.reduce((sum, value) => sum + value, 0) / pairs.length]]);
}

const withTable3 = (statement: Statement): string =>
  `${statement.paper} [Table 3: ${judge(statement, inTable3)?.sides ?? 'no such value'}]`;

/** Statements beside our values, under both readings, with the values of Table 3. */
export function claimsOf(values: CcValues, statements: readonly Statement[]): ExperimentClaim[] {
  return READINGS.flatMap(({ scope, label }) =>
    statements.map((statement) => ({
      place: `${statement.place}, ${label}`,
      paper: withTable3(statement),
      ...claimOf(
        judge(statement, ({ pairs, name }) =>
          values.ofAll(
            pairs.map(([coupled, path]) => ({ kind: 'pair', coupled, path, scope })),
            name,
          ),
        ),
      ),
    })),
  );
}
