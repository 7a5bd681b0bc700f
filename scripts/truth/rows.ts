/** One comparison of the truth table. */
export interface TruthRow {
  /** What is compared, in words. */
  what: string;
  unit: string;
  /** What the other side says. */
  truth: number;
  simulated: number;
  /** Most by which the ratio may differ from 1; undefined: told, not judged. */
  boundRatio?: number;
  /** Most by which the values may differ; where both are given, one of them is enough. */
  boundDifference?: number;
  /** Says the opposite of the truth: out of its bound however near the numbers are. */
  isContrary?: boolean;
  /** Cause of what is out of its bound, or what else a reader should know. */
  note?: string;
}

export const SECTION_NAMES = ['kernel', 'ns3', 'forms', 'engines'] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

export interface Section {
  name: SectionName;
  /** How it was measured, one line. */
  title: string;
  rows: TruthRow[];
  /** Why it could not be run. */
  refusal?: string;
}

export interface TruthOptions {
  quick: boolean;
  /** Says what is going on. */
  progress: (line: string) => void;
}

/** Whether a row keeps its bound; undefined where it is not judged. */
export function isWithin(row: TruthRow): boolean | undefined {
  const { truth, simulated, boundRatio, boundDifference, isContrary } = row;
  if (isContrary === true) return false;
  if (boundRatio === undefined && boundDifference === undefined) return undefined;
  const byRatio = boundRatio !== undefined && Math.abs(simulated / truth - 1) <= boundRatio;
  const byDifference =
    boundDifference !== undefined && Math.abs(simulated - truth) <= boundDifference;
  return byRatio || byDifference;
}
