/** A number with the 95 % confidence interval of its mean (Student's t); null where there are too few values. */
export interface Estimate {
  count: number;
  mean: number | null;
  low: number | null;
  high: number | null;
}

export type Cell = string | number | null | Estimate;

export interface ExperimentTable {
  /** "Table I" and the like where the paper has it. */
  title: string;
  columns: readonly { label: string; unit?: string; digits?: number }[];
  rows: readonly (readonly Cell[])[];
  /** What a reader should know; may be empty. */
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
  /** Where the paper says so: "Fig. 4", "Section V". */
  place: string;
  paper: string;
  /** Computed from the outcomes. */
  ours: string;
  /** Null where chance may have made the difference, or figures are missing. */
  agrees: boolean | null;
}

export interface ExperimentReport {
  name: string;
  title: string;
  /** The paper's title; empty where there is none. */
  paper: string;
  /** Always simulated here, and every page and table says so. */
  simulated: true;
  /** What was run, and how it differs from the paper's set-up. */
  method: readonly string[];
  tables: readonly ExperimentTable[];
  figures: readonly ExperimentFigure[];
  claims: readonly ExperimentClaim[];
}

/** How the outcomes of a report came about. */
export interface SimulatedRun {
  /** Program and version. */
  generator: string;
  /** ISO 8601. */
  startedAt: string;
  quick: boolean;
  seed: number;
  jobs: { planned: number; done: number; failed: number };
  machine: Readonly<Record<string, string | number>>;
}
