/** Mean over the trials and its 95 % confidence interval (Student's t); null with too few trials. */
export interface AqmCell {
  count: number;
  mean: number | null;
  low: number | null;
  high: number | null;
  /** Of every trial that has a value. */
  values: number[];
}

export interface AqmRow {
  targetMs: number;
  pie: AqmCell;
  fqPie: AqmCell;
}

/** FQ-PIE against PIE over pairs: trials of the same number, seed and target. */
export interface AqmRatio {
  pairs: number;
  /** 1 + mean difference / PIE's mean. */
  ratio: number;
  /** 95 % confidence interval of the mean difference, on the same scale; null for one pair. */
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

/** One statement of the paper beside our figures. */
export interface AqmClaim {
  figure: number;
  paper: string;
  /** Computed from the results. */
  ours: string;
  /** Null if chance may explain the difference, or figures are missing. */
  agrees: boolean | null;
}

/** Mean with its 95 % confidence interval. */
export type AqmEstimate = Omit<AqmCell, 'values'>;

/** Queue delay over time (Figs. 12 and 13): mean over the trials in each second. */
export interface DelaySeries {
  figure: number;
  discipline: 'pie' | 'fq-pie';
  targetMs: number;
  trials: number;
  /** Second n lasts from n to n + 1 s after the start of the session. Null if no packet left. */
  points: { meanMs: number | null; lowMs: number | null; highMs: number | null }[];
  /** Over the trials: each one's mean after the start. */
  steady: AqmEstimate;
  /** The same as the paper defines it for FQ-PIE: mean over the queues that are active at a moment. */
  active?: AqmEstimate;
}

/** The origin of the figures. */
export interface AqmOrigin {
  generator: string;
  startedAt: string[];
  machine: Readonly<Record<string, string | number>>;
  counts: { planned: number; ok: number };
  /** Playing time of a trial. */
  trialMs: number | null;
  warnings: string[];
}

export interface AqmReport {
  origin: AqmOrigin;
  figures: AqmFigure[];
  claims: AqmClaim[];
  /** Values of the links and the background programs. */
  background: AqmTable[];
  delays: DelaySeries[];
}
