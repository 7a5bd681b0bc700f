import type { Picture } from './windows';

/** One comparison of the truth table. */
export interface TruthRow {
  /** The compared quantity, in words. */
  what: string;
  unit: string;
  /** The reference's value. */
  truth: number;
  simulated: number;
  /** Maximum deviation of the ratio from 1; undefined: reported, not judged. */
  boundRatio?: number;
  /** Maximum difference of the values; if both are given, one is enough. */
  boundDifference?: number;
  /** Contradicts the reference: out of bounds however close the numbers are. */
  isContrary?: boolean;
  /** Cause of an exceeded bound, or a note for the reader. */
  note?: string;
}

export const SECTION_NAMES = ['kernel', 'coupled', 'walks', 'ns3', 'forms', 'engines'] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

export interface Section {
  name: SectionName;
  /** The method, one line. */
  title: string;
  rows: TruthRow[];
  /** Follow the table. */
  pictures?: Picture[];
  /** The reason why it did not run. */
  refusal?: string;
  /** Cases that this machine cannot run; the others have rows. */
  refused?: readonly RefusedCase[];
}

export interface RefusedCase {
  what: string;
  reason: string;
}

export interface TruthOptions {
  quick: boolean;
  /** Reports progress. */
  progress: (line: string) => void;
}

/** True if a row is within its bound; undefined if it is not judged. */
export function isWithin(row: TruthRow): boolean | undefined {
  const { truth, simulated, boundRatio, boundDifference, isContrary } = row;
  if (isContrary === true) return false;
  if (boundRatio === undefined && boundDifference === undefined) return undefined;
  const byRatio = boundRatio !== undefined && Math.abs(simulated / truth - 1) <= boundRatio;
  const byDifference =
    boundDifference !== undefined && Math.abs(simulated - truth) <= boundDifference;
  return byRatio || byDifference;
}
