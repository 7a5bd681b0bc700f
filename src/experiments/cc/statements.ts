import { COUPLED, labelOf, PATH_LEVEL, type Coupled, type PathLevel } from './job';
import type { ValueName } from './paper';

type PairName = readonly [Coupled, PathLevel];

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
/** "Almost flat", in Mbit/s per s: {@link ABOUT} of wVegas's 5.7 Mbit/s of Table 3, over the eight judged seconds. */
const FLAT = (ABOUT * 5.7) / 8;
/** Table 3's throughputs of one coupled control differ by at most 15 %. */
const NEAR = 0.15;

const ALL: readonly PairName[] = COUPLED.flatMap((coupled) =>
  PATH_LEVEL.map((path): PairName => [coupled, path]),
);

const isSame = ([coupled, path]: PairName, [other, beside]: PairName): boolean =>
  coupled === other && path === beside;

const pair = (name: ValueName, one: PairName): Subject => ({
  label: `${labelOf(one[0])} with ${labelOf(one[1])}`,
  pairs: [one],
  name,
});

/** Mean over the controls at the path level. */
const family = (name: ValueName, coupled: Coupled): Subject => ({
  label: labelOf(coupled),
  pairs: ALL.filter(([one]) => one === coupled),
  name,
});

/** Mean over the coupled controls. */
const under = (name: ValueName, path: PathLevel, label: string): Subject => ({
  label: `${labelOf(path)} on ${label}`,
  pairs: ALL.filter(([, one]) => one === path),
  name,
});

type Judged = Pick<Statement, 'rule' | 'comparisons'>;

/** Each of these pairs is beyond all other pairs. */
const among = (
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
const inEach = (rule: 'highest' | 'lowest', name: ValueName, coupled: Coupled): Judged => ({
  rule,
  comparisons: PATH_LEVEL.flatMap((path) =>
    COUPLED.filter((other) => other !== coupled).map(
      (other) => [pair(name, [coupled, path]), pair(name, [other, path])] as const,
    ),
  ),
});

const about = (level: number, name: ValueName, pairs: readonly PairName[]): Judged => ({
  rule: { within: ABOUT },
  comparisons: pairs.map((one) => [pair(name, one), level] as const),
});

const combinations = <T>(all: readonly T[]): (readonly [T, T])[] =>
  all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));

/** The text excepts these two pairs (3.1.4). */
const OUTLIERS: readonly PairName[] = [
  ['lia', 'bbr'],
  ['wvegas', 'reno'],
];
const USUAL = ALL.filter((one) => !OUTLIERS.some((other) => isSame(one, other)));

/** What sections 3.1.1 to 3.1.5 say about all runs. */
export const STATEMENTS: readonly Statement[] = [
  {
    ...{ place: '3.1.1', paper: 'LIA with BBR has the lowest drop rate on path 1' },
    ...among('lowest', 'drops1', ['lia', 'bbr']),
  },
  {
    ...{ place: '3.1.1', paper: 'LIA with BBR has the lowest drop rate on path 2' },
    ...among('lowest', 'drops2', ['lia', 'bbr']),
  },
  {
    // The sentence names no path.
    place: '3.1.1',
    paper:
      'wVegas with Reno and BALIA with Cubic have the highest drop rates (both paths together)',
    ...among('highest', 'dropsBoth', ['wvegas', 'reno'], ['balia', 'cubic']),
  },
  {
    ...{ place: '3.1.2', paper: 'wVegas with Reno has the lowest round trip on path 1' },
    ...among('lowest', 'srtt1Mean', ['wvegas', 'reno']),
  },
  {
    ...{ place: '3.1.2', paper: 'OLIA with BBR has the lowest round trip on path 2' },
    ...among('lowest', 'srtt2Mean', ['olia', 'bbr']),
  },
  {
    ...{ place: '3.1.2', paper: 'BALIA with Cubic has the highest maximum round trip on path 1' },
    ...among('highest', 'srtt1Max', ['balia', 'cubic']),
  },
  {
    ...{ place: '3.1.2', paper: 'BALIA with BBR has the highest maximum round trip on path 2' },
    ...among('highest', 'srtt2Max', ['balia', 'bbr']),
  },
  {
    place: '3.1.2',
    paper:
      'The round trip of path 2 varies more than that of path 1 (maximum less mean, all pairs)',
    rule: 'highest',
    comparisons: [
      [
        { label: 'path 2', pairs: ALL, name: 'swing2' },
        { label: 'path 1', pairs: ALL, name: 'swing1' },
      ],
    ],
  },
  {
    place: '3.1.2',
    paper: 'It does so especially for BALIA and OLIA (path 2, maximum less mean)',
    rule: 'highest',
    comparisons: (['balia', 'olia'] as const).flatMap((one) =>
      (['lia', 'wvegas'] as const).map(
        (other) => [family('swing2', one), family('swing2', other)] as const,
      ),
    ),
  },
  {
    place: '3.1.2',
    paper: 'Reno, Cubic and BBR perform similarly well concerning the round trip',
    rule: { within: SIMILAR },
    comparisons: combinations(PATH_LEVEL).flatMap(([one, other]) => [
      [under('srtt1Mean', one, 'path 1'), under('srtt1Mean', other, 'path 1')] as const,
      [under('srtt2Mean', one, 'path 2'), under('srtt2Mean', other, 'path 2')] as const,
    ]),
  },
  {
    ...{ place: '3.1.3', paper: 'LIA with BBR has the highest average protocol delay' },
    ...among('highest', 'protocolMean', ['lia', 'bbr']),
  },
  {
    ...{ place: '3.1.3', paper: 'wVegas with Reno has the highest maximum protocol delay' },
    ...among('highest', 'protocolMax', ['wvegas', 'reno']),
  },
  {
    place: '3.1.3',
    paper: 'The mean protocol delay is about 95 ms (all pairs but LIA with BBR, wVegas with Reno)',
    ...about(95, 'protocolMean', USUAL),
  },
  {
    ...{ place: '3.1.4', paper: 'wVegas with Reno has the highest average HoL degree' },
    ...among('highest', 'holMean', ['wvegas', 'reno']),
  },
  {
    ...{ place: '3.1.4', paper: 'wVegas with Reno has the highest maximum HoL degree' },
    ...among('highest', 'holMax', ['wvegas', 'reno']),
  },
  {
    ...{ place: '3.1.4', paper: 'BALIA with Reno and with BBR have the lowest average HoL degree' },
    ...among('lowest', 'holMean', ['balia', 'reno'], ['balia', 'bbr']),
  },
  {
    ...{ place: '3.1.4', paper: 'BALIA with Reno and with BBR have the lowest maximum HoL degree' },
    ...among('lowest', 'holMax', ['balia', 'reno'], ['balia', 'bbr']),
  },
  {
    place: '3.1.4',
    paper: 'Average HoL degrees are about 20 ms (all pairs but LIA with BBR, wVegas with Reno)',
    ...about(20, 'holMean', USUAL),
  },
  {
    ...{ place: '3.1.5', paper: 'BALIA with Reno has the highest throughput' },
    ...among('highest', 'goodputMean', ['balia', 'reno']),
  },
  {
    ...{ place: '3.1.5', paper: 'OLIA with BBR follows it closely', rule: { within: SIMILAR } },
    comparisons: [[pair('goodputMean', ['olia', 'bbr']), pair('goodputMean', ['balia', 'reno'])]],
  },
  {
    ...{ place: '3.1.5', paper: 'wVegas with Reno has the lowest throughput' },
    ...among('lowest', 'goodputMean', ['wvegas', 'reno']),
  },
  {
    place: '3.1.5',
    paper: 'BALIA outperforms the other algorithms in all three combinations',
    ...inEach('highest', 'goodputMean', 'balia'),
  },
  {
    place: '3.1.5, Fig. 4',
    paper: 'LIA exhibits a stable rise in throughput over time (each combination, slope above 0)',
    rule: 'highest',
    comparisons: PATH_LEVEL.map((path) => [pair('goodputSlope', ['lia', path]), 0] as const),
  },
  {
    place: '3.1.5, Fig. 4',
    paper: `wVegas has an almost flat throughput (each combination, slope within ${FLAT.toFixed(2)} Mbit/s per s)`,
    rule: { limit: FLAT },
    comparisons: PATH_LEVEL.map((path) => [pair('goodputSlope', ['wvegas', path]), 0] as const),
  },
  {
    place: '3.1.5, Fig. 4',
    paper: 'OLIA is the most unstable: its throughput varies most (each combination)',
    ...inEach('highest', 'goodputVariation', 'olia'),
  },
];

/** What Table 3 shows and the text does not say. */
export const INFERENCES: readonly Statement[] = [
  {
    place: 'Table 3',
    paper: 'wVegas has the lowest throughput over each control at the path level',
    ...inEach('lowest', 'goodputMean', 'wvegas'),
  },
  {
    place: 'Table 3',
    paper: 'wVegas has the lowest maximum round trip on path 2 over each control at the path level',
    ...inEach('lowest', 'srtt2Max', 'wvegas'),
  },
  {
    place: 'Table 3',
    paper: 'The control at the path level changes the throughput by 15 % at most',
    rule: { within: NEAR },
    comparisons: COUPLED.flatMap((coupled) =>
      combinations(PATH_LEVEL).map(
        ([one, other]) =>
          [pair('goodputMean', [coupled, one]), pair('goodputMean', [coupled, other])] as const,
      ),
    ),
  },
];
