import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';

export interface AqmRow {
  targetMs: number;
  pie: Estimate;
  fqPie: Estimate;
}

/** FQ-PIE against PIE, one mean over the targets a trial. */
export interface AqmRatio {
  trials: number;
  /** 1 + mean difference / PIE's mean. */
  ratio: number;
  /** 95 % confidence interval of the mean difference, on the same scale; null for one trial. */
  low: number | null;
  high: number | null;
}

/** A quantity by target and discipline. */
export interface AqmTable {
  label: string;
  unit: string;
  rows: AqmRow[];
}

export interface AqmFigure extends AqmTable {
  /** Number in the paper. */
  figure: number;
  /** The paper's statement, with its numbers if there are any. */
  paper: string;
  ratio: AqmRatio | null;
}

/** Queue delay over time (Figs. 12 and 13): mean over the trials in each second. */
export interface DelaySeries {
  figure: number;
  discipline: 'pie' | 'fq-pie';
  targetMs: number;
  trials: number;
  /** Second n lasts from n to n + 1 s after the start of the session. Null if no packet left. */
  points: { meanMs: number | null; lowMs: number | null; highMs: number | null }[];
  /** Estimate over the trials, from each trial's mean after the start. */
  steady: Estimate;
  /** The same as the paper defines it for FQ-PIE: mean over the queues that are active at a moment. */
  active?: Estimate;
}

export interface AqmFindings {
  figures: AqmFigure[];
  claims: ExperimentClaim[];
  /** Values of the links and the background programs. */
  background: AqmTable[];
  delays: DelaySeries[];
}
