import type { Estimate } from '../../report';

export type Cell = string | number | null | Estimate;

export interface ExperimentTable {
  /** "Table I" and the like if the paper has it. */
  title: string;
  columns: readonly { label: string; unit?: string; digits?: number }[];
  rows: readonly (readonly Cell[])[];
  /** A note for the reader; may be empty. */
  note: string;
}

export interface ExperimentSeries {
  label: string;
  points: readonly { x: number; y: number; low?: number; high?: number }[];
}

export interface ExperimentFigure {
  title: string;
  kind: 'lines' | 'bars' | 'steps';
  x: { label: string; unit?: string; /** Names of x = 0, 1, ... */ names?: readonly string[] };
  y: { label: string; unit?: string; from?: number };
  series: readonly ExperimentSeries[];
  note: string;
}

/** One statement of the paper beside our figures. */
export interface ExperimentClaim {
  /** Place in the paper: "Fig. 4", "Section V". */
  place: string;
  paper: string;
  /** The paper's own number with its unit, where its text gives one. */
  paperValue?: string;
  /** Computed from the outcomes. */
  ours: string;
  /** Null if chance may explain the difference, or figures are missing. */
  agrees: boolean | null;
  /** The cause of a difference, with the figures of the ablation that shows it; or what would decide it. */
  why?: string;
}

export interface ExperimentReport {
  name: string;
  title: string;
  /** The paper's title; empty without a paper. */
  paper: string;
  /** False: measured in the lab. Every page and text states which. */
  simulated: boolean;
  /** The set-up, and its differences from the paper's. */
  method: readonly string[];
  tables: readonly ExperimentTable[];
  figures: readonly ExperimentFigure[];
  claims: readonly ExperimentClaim[];
  /** What a reader of the statements' counts has to know. */
  claimsNote?: string;
}

/** The origin of a report's outcomes. */
export interface ExperimentRun {
  /** Program and version. */
  generator: string;
  /** ISO 8601. */
  startedAt: string;
  quick: boolean;
  seed: number;
  jobs: { planned: number; done: number; failed: number };
  machine: Readonly<Record<string, string | number>>;
}
