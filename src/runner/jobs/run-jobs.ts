import { errorText } from '../../core';
import { inLanes } from '../run/lanes';
import { Progress, timeLeft } from '../run/progress';
import { RunScreen } from '../run/run-screen';
import type { JobLine } from './job-log';
import type { Workers } from './worker-pool';

/** Work that may run in any order, on any thread. `key` is unique within its run. */
export interface KeyedJob {
  key: string;
}

export interface RunJobsOptions<Job extends KeyedJob> {
  /** Begins every line: `[experiment sticky]`. */
  tag: string;
  /** The unfinished jobs. */
  jobs: readonly Job[];
  /** Jobs finished by an earlier run of the program. */
  doneBefore: number;
  lanes: number;
  workers: Workers;
  /** Returns the message for a worker. */
  request: (job: Job) => unknown;
  /** Stores a job that has finished or failed. */
  keep: (line: JobLine) => void;
  signal: AbortSignal;
  stream?: NodeJS.WriteStream;
}

/** A message's first line. The rest is for developers, and is stored with the job. */
const firstLine = (text: string): string => text.split('\n')[0] ?? text;

/**
 * Runs jobs on all lanes. A failed one is reported and stored as failed, and the others continue.
 * @returns the number of failures. Aborted jobs count as not done
 */
export async function runJobs<Job extends KeyedJob>(options: RunJobsOptions<Job>): Promise<number> {
  const { tag, jobs, doneBefore, lanes, workers, request, keep, signal } = options;
  const screen = new RunScreen(options.stream ?? process.stderr);
  const progress = new Progress(jobs.length, 0, lanes);
  const all = doneBefore + jobs.length;
  let done = 0;
  let failed = 0;
  const draw = (): void => {
    const left = done === 0 ? '' : `; about ${timeLeft(progress.leftMs())} left`;
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    screen.draw(`${tag} ${doneBefore + done} of ${all} jobs${failures}${left}`);
  };
  const cores = lanes === 1 ? 'one thread' : `${lanes} threads`;
  const before = doneBefore === 0 ? '' : `, ${doneBefore} of them done before`;
  screen.print(`${tag} ${all} jobs${before}, on ${cores}`);
  const isOver = (): boolean => signal.aborted;
  const end = (): void => void workers.end().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  const ticker = setInterval(draw, 1000);
  try {
    await inLanes(jobs, lanes, async (job, begun) => {
      begun();
      if (isOver()) return false;
      const startedMs = performance.now();
      const result = await workers.run(request(job)).then(
        (outcome) => ({ outcome: outcome ?? null }),
        (error: unknown) => ({ error: errorText(error) }),
      );
      if ('error' in result && isOver()) return false;
      const tookMs = Math.round(performance.now() - startedMs);
      keep({ key: job.key, tookMs, ...result });
      if ('error' in result) {
        failed += 1;
        screen.print(`${tag} job ${job.key} failed: ${firstLine(result.error)}`);
      }
      done += 1;
      progress.finished(tookMs);
      draw();
      return true;
    });
  } finally {
    clearInterval(ticker);
    signal.removeEventListener('abort', end);
    screen.clear();
    await workers.end().catch(() => undefined);
  }
  return failed;
}
