import { COUPLED, PATH_LEVEL, type Coupled, type PathLevel } from './job';

/** A quantity of Table 3. */
export interface PaperQuantity {
  label: string;
  unit: string;
  digits: number;
  /** Twelve values of the paper: LIA, OLIA, BALIA, wVegas, each with Reno, Cubic, BBR. */
  paper: readonly number[];
}

/** Table 3 of the paper. */
export const TABLE_3 = {
  protocolMean: {
    ...{ label: 'Protocol delay', unit: 'ms', digits: 0 },
    paper: [97, 97, 231, 98, 96, 95, 95, 99, 95, 271, 99, 99],
  },
  protocolMax: {
    ...{ label: 'its maximum', unit: 'ms', digits: 0 },
    paper: [225, 224, 569, 256, 235, 238, 231, 295, 243, 816, 259, 254],
  },
  holMean: {
    ...{ label: 'HoL degree', unit: 'ms', digits: 0 },
    paper: [17, 17, 151, 19, 16, 16, 15, 18, 15, 191, 19, 19],
  },
  holMax: {
    ...{ label: 'its maximum', unit: 'ms', digits: 0 },
    paper: [143, 143, 488, 175, 150, 155, 148, 211, 157, 733, 178, 174],
  },
  srtt1Mean: {
    ...{ label: 'SRTT, path 1', unit: 'ms', digits: 0 },
    paper: [79, 79, 79, 78, 78, 77, 79, 80, 79, 77, 79, 78],
  },
  srtt1Max: {
    ...{ label: 'its maximum', unit: 'ms', digits: 0 },
    paper: [94, 97, 95, 98, 98, 96, 98, 102, 97, 96, 95, 94],
  },
  srtt2Mean: {
    ...{ label: 'SRTT, path 2', unit: 'ms', digits: 0 },
    paper: [57, 56, 56, 56, 58, 57, 59, 59, 58, 56, 57, 57],
  },
  srtt2Max: {
    ...{ label: 'its maximum', unit: 'ms', digits: 0 },
    paper: [88, 86, 89, 92, 97, 103, 104, 102, 105, 79, 83, 75],
  },
  drops1: {
    ...{ label: 'Drops, path 1', unit: '1/s', digits: 1 },
    paper: [0.5, 1.4, 0.1, 0.2, 1.5, 2.7, 1.3, 3, 0.5, 3.4, 0.5, 2.1],
  },
  drops2: {
    ...{ label: 'Drops, path 2', unit: '1/s', digits: 1 },
    paper: [1, 0.8, 1.2, 1.5, 1, 0.8, 0.7, 1.3, 1.5, 1.6, 1.6, 1.4],
  },
  goodputMean: {
    ...{ label: 'Throughput', unit: 'Mbit/s', digits: 2 },
    paper: [7.51, 7.84, 7.67, 9.65, 10.58, 11.08, 11.4, 11.02, 11.23, 5.6, 5.86, 5.77],
  },
  goodputMax: {
    ...{ label: 'its maximum', unit: 'Mbit/s', digits: 2 },
    paper: [16.24, 17.01, 16.98, 19.53, 21.28, 22.71, 23.62, 23.09, 23.54, 13.53, 12.97, 12.91],
  },
} as const satisfies Record<string, PaperQuantity>;

export type QuantityName = keyof typeof TABLE_3;

export const QUANTITIES = Object.keys(TABLE_3) as QuantityName[];

/** Quantities that statements of the text need, as signed sums of those of Table 3. */
const DERIVED = {
  dropsBoth: {
    ...{ label: 'Drops, both paths', unit: '1/s', digits: 1 },
    terms: [
      ['drops1', 1],
      ['drops2', 1],
    ],
  },
  // Peak of the round trip above its mean.
  swing1: {
    ...{ label: 'SRTT, path 1: maximum less mean', unit: 'ms', digits: 0 },
    terms: [
      ['srtt1Max', 1],
      ['srtt1Mean', -1],
    ],
  },
  swing2: {
    ...{ label: 'SRTT, path 2: maximum less mean', unit: 'ms', digits: 0 },
    terms: [
      ['srtt2Max', 1],
      ['srtt2Mean', -1],
    ],
  },
} as const satisfies Record<
  string,
  Omit<PaperQuantity, 'paper'> & { terms: readonly (readonly [QuantityName, 1 | -1])[] }
>;

/** Quantities of the plots of Figs. 3 and 4, which Table 3 lacks. */
const COURSE = {
  protocolMin: { label: 'Least protocol delay', unit: 'ms', digits: 0 },
  protocolHigh: { label: 'Protocol delay, 95th percentile', unit: 'ms', digits: 0 },
  goodputVariation: { label: 'Coefficient of variation of throughput', unit: '%', digits: 1 },
  goodputSlope: { label: 'Slope of throughput', unit: 'Mbit/s per s', digits: 2 },
  stillShare: { label: 'Time with hardly any throughput', unit: '%', digits: 1 },
} as const satisfies Record<string, Omit<PaperQuantity, 'paper'>>;

export type CourseName = keyof typeof COURSE;

/** A quantity of Table 3, one made of them, or one of a run's course. */
export type ValueName = QuantityName | keyof typeof DERIVED | CourseName;

export const VALUE_NAMES = [
  ...QUANTITIES,
  ...Object.keys(DERIVED),
  ...Object.keys(COURSE),
] as ValueName[];

const isOfCourse = (name: ValueName): name is CourseName => name in COURSE;
const isDerived = (name: ValueName): name is keyof typeof DERIVED => name in DERIVED;

/** Label, unit and digits of a quantity. */
export const quantityOf = (name: ValueName): Omit<PaperQuantity, 'paper'> =>
  isDerived(name) ? DERIVED[name] : isOfCourse(name) ? COURSE[name] : TABLE_3[name];

/**
 * The value of any quantity from those of Table 3 and of the course; null if one of them is.
 * @param valueOf a quantity that is made of no others
 */
export function valueFrom(
  name: ValueName,
  valueOf: (name: QuantityName | CourseName) => number | null,
): number | null {
  if (!isDerived(name)) return valueOf(name);
  return DERIVED[name].terms.reduce<number | null>((sum, [term, sign]) => {
    const value = valueOf(term);
    return sum === null || value === null ? null : sum + sign * value;
  }, 0);
}

/** The paper's value for a pair, in the unit of the quantity. */
export function paperValue(name: ValueName, coupled: Coupled, path: PathLevel): number | null {
  const place = COUPLED.indexOf(coupled) * PATH_LEVEL.length + PATH_LEVEL.indexOf(path);
  return valueFrom(name, (one) => (isOfCourse(one) ? null : (TABLE_3[one].paper[place] ?? null)));
}
