import type { ExperimentReport } from '../report';

export type {
  Cell,
  Estimate,
  ExperimentClaim,
  ExperimentFigure,
  ExperimentReport,
  ExperimentSeries,
  ExperimentTable,
} from '../report';

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
