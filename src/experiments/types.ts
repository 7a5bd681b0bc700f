import type { ExperimentReport } from './report/types';

export type {
  Cell,
  ExperimentClaim,
  ExperimentFigure,
  ExperimentReport,
  ExperimentSeries,
  ExperimentTable,
} from './report/types';

/**
 * Reads a shipped file by its path below `scenarios/`.
 * @throws Error with the file's name
 */
export type ReadShipped = (path: string) => string;

/** Options for starting an experiment. */
export interface ExperimentOptions {
  /** Few trials of short runs: minutes instead of hours, wide intervals. */
  quick: boolean;
  /** Seed of the first trial; later trials count up from it. */
  seed: number;
  /** Trials per cell; default the paper's number, or that of `quick`. */
  trials?: number;
  read: ReadShipped;
}

/** One simulated run: plain data that may be sent to another thread. `key` names it within the experiment. */
export interface ExperimentJob {
  key: string;
}

/**
 * A simulated experiment of a paper. Pure: the same options give the same jobs, and a job gives the same
 * outcome on every engine. Both are plain data, so that jobs run on all cores and finished ones are kept.
 */
export interface Experiment<Job extends ExperimentJob = ExperimentJob, Outcome = unknown> {
  name: string;
  /** One line for `--help`. */
  summary: string;
  /** Its title; empty for an experiment of our own. */
  paper: string;
  /** The unit that `--trials` counts, if not the paper's trials of each cell. */
  trials?: string;
  /** "about 2 minutes on two cores" for the quick profile and the whole of it. */
  lasts: { quick: string; whole: string };
  plan(options: ExperimentOptions): Job[];
  /** @throws Error with the unsupported part if the job cannot be simulated */
  run(job: Job): Outcome;
  report(
    results: readonly { job: Job; outcome: Outcome }[],
    options: ExperimentOptions,
  ): ExperimentReport;
}
