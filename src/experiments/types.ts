/** Reads a file that ships with the scenarios, by its path below `scenarios/`. @throws Error that names the file */
export type ReadShipped = (path: string) => string;

/** What whoever starts an experiment may choose. */
export interface ExperimentOptions {
  /** Few trials of short runs: minutes instead of hours, wide intervals. */
  quick: boolean;
  /** Of the first trial; the next have the next ones. */
  seed: number;
  /** Trials of each cell; default the paper's, or what `quick` says. */
  trials?: number;
  read: ReadShipped;
}

/** One simulated run: plain data that may be sent to another thread. `key` names it within the experiment. */
export interface ExperimentJob {
  key: string;
}

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
  /** The paper's title. */
  paper: string;
  /** Always simulated here, and every page and table says so. */
  simulated: true;
  /** What was run, and how it differs from the paper's set-up. */
  method: readonly string[];
  tables: readonly ExperimentTable[];
  figures: readonly ExperimentFigure[];
  claims: readonly ExperimentClaim[];
}

/**
 * A simulated experiment of a paper. Pure: the same options give the same jobs, a job gives the same outcome on every
 * engine, and both are plain data, so that jobs run on all cores and finished ones are kept.
 */
export interface Experiment<Job extends ExperimentJob = ExperimentJob, Outcome = unknown> {
  name: string;
  /** One line for `--help`. */
  summary: string;
  paper: string;
  /** "about 2 minutes on two cores" for the quick profile and the whole of it. */
  lasts: { quick: string; whole: string };
  plan(options: ExperimentOptions): Job[];
  /** @throws Error where the job cannot be simulated; says which part of it */
  run(job: Job): Outcome;
  report(
    results: readonly { job: Job; outcome: Outcome }[],
    options: ExperimentOptions,
  ): ExperimentReport;
}
