import { COUPLED, labelOf, PATH_LEVEL, type Coupled, type PathLevel } from './job';
import type { ValueName } from './paper';

export type PairName = readonly [Coupled, PathLevel];

/** One side of a comparison: a quantity of one pair, or its mean over several. */
export interface Subject {
  label: string;
  pairs: readonly PairName[];
  name: ValueName;
}

/** The subject is beyond its rival, within a share of it, or within a limit in its unit. */
export type Rule = 'highest' | 'lowest' | { within: number } | { limit: number };

/** A statement of the paper: it holds if each of its comparisons does. */
export interface Statement {
  /** Section of the paper. */
  place: string;
  paper: string;
  rule: Rule;
  /** A number is a value that the paper's text gives, in the unit of the subject. */
  comparisons: readonly (readonly [Subject, Subject | number])[];
}

/** "Similarly well", "closely": Table 3's mean round trips of path 2 are 56 to 59 ms, which the text calls similar. */
export const SIMILAR = 0.05;
/** "About": the text calls HoL degrees of 15 to 19 ms "around 20 ms". */
export const ABOUT = 0.25;

export const ALL: readonly PairName[] = COUPLED.flatMap((coupled) =>
  PATH_LEVEL.map((path): PairName => [coupled, path]),
);

export const isSame = ([coupled, path]: PairName, [other, beside]: PairName): boolean =>
  coupled === other && path === beside;

export const pair = (name: ValueName, one: PairName): Subject => ({
  label: `${labelOf(one[0])} with ${labelOf(one[1])}`,
  pairs: [one],
  name,
});

/** Mean over the controls at the path level. */
export const family = (name: ValueName, coupled: Coupled): Subject => ({
  label: labelOf(coupled),
  pairs: ALL.filter(([one]) => one === coupled),
  name,
});

/** Mean over the coupled controls. */
export const under = (name: ValueName, path: PathLevel, label?: string): Subject => ({
  label: label === undefined ? labelOf(path) : `${labelOf(path)} on ${label}`,
  pairs: ALL.filter(([, one]) => one === path),
  name,
});

type Judged = Pick<Statement, 'rule' | 'comparisons'>;

/** Each of these pairs is beyond all other pairs. */
export const among = (
  rule: 'highest' | 'lowest',
  name: ValueName,
  ...members: readonly PairName[]
): Judged => ({
  rule,
  comparisons: members.flatMap((member) =>
    ALL.filter((other) => !members.some((one) => isSame(one, other))).map(
      (other) => [pair(name, member), pair(name, other)] as const,
    ),
  ),
});

/** A coupled control is beyond the other ones, over each control at the path level. */
export const inEach = (rule: 'highest' | 'lowest', name: ValueName, coupled: Coupled): Judged => ({
  rule,
  comparisons: PATH_LEVEL.flatMap((path) =>
    COUPLED.filter((other) => other !== coupled).map(
      (other) => [pair(name, [coupled, path]), pair(name, [other, path])] as const,
    ),
  ),
});

export const about = (level: number, name: ValueName, pairs: readonly PairName[]): Judged => ({
  rule: { within: ABOUT },
  comparisons: pairs.map((one) => [pair(name, one), level] as const),
});

/** Each side is about a value of its own. */
export const aboutEach = (...sides: readonly (readonly [Subject, number])[]): Judged => ({
  rule: { within: ABOUT },
  comparisons: sides,
});

export const combinations = <T>(all: readonly T[]): (readonly [T, T])[] =>
  all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
