import path from 'node:path';
import type { ExperimentRun } from '../../experiments';
import type { FinishedJobs } from './job-folder';
import { JOB_LOG_FILE } from './job-record';
import { readJobLog } from './job-log';
import { programsText, type ProgramCounts } from './program-counts';
import type { KeyedJob } from './run-jobs';

/** Outcomes of jobs in the order of the plan, without the failed ones. */
export async function outcomesOf<Job extends KeyedJob>(
  folder: string,
  jobs: readonly Job[],
): Promise<{ job: Job; outcome: unknown }[]> {
  const byKey = new Map<string, unknown>();
  await readJobLog(path.join(folder, JOB_LOG_FILE), {
    onLine: (line) => {
      if ('outcome' in line) byKey.set(line.key, line.outcome);
    },
  });
  return jobs.flatMap((job) => (byKey.has(job.key) ? [{ job, outcome: byKey.get(job.key) }] : []));
}

/**
 * Counts and durations of the jobs, for their report. Names every version of the program that ran one, as far as it is
 * known: `programs` of kept results is not.
 */
export function runFacts<Options>(
  {
    record,
    jobs,
    failed,
    programs = new Map(),
  }: Omit<FinishedJobs<Options, KeyedJob>, 'programs'> & {
    programs?: ProgramCounts;
  },
  done: number,
  options: { quick: boolean; seed: number },
): ExperimentRun {
  const { program, ...machine } = record.machine;
  return {
    generator: `multipath-dash ${programs.size === 0 ? program : programsText(programs)}`,
    startedAt: record.startedAt,
    ...options,
    jobs: { planned: jobs.length, done, failed },
    machine,
  };
}
