import { inLanes } from '../../lab/lanes';
import { Progress, timeLeft } from '../../lab/progress';
import { RunScreen } from '../../lab/run-screen';
import type { JobLine } from './journal';
import type { Workers } from './worker-pool';

/** Work that may run in any order, on any thread. `key` names it within its run. */
export interface KeyedJob {
  key: string;
}

export interface RunJobsOptions<Job extends KeyedJob> {
  /** Begins every line: `[experiment sticky]`. */
  tag: string;
  /** Those that are not finished yet. */
  jobs: readonly Job[];
  /** Finished before this run of the program. */
  doneBefore: number;
  lanes: number;
  workers: Workers;
  /** What a worker is sent. */
  request: (job: Job) => unknown;
  /** Keeps a job that has finished or failed. */
  keep: (line: JobLine) => void;
  signal: AbortSignal;
  stream?: NodeJS.WriteStream;
}

/** A message's first line: what follows is for whoever mends the program, and is kept with the job. */
const firstLine = (text: string): string => text.split('\n')[0] ?? text;

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Works through jobs on all lanes; one that fails is told and kept as failed, and the others go on.
 * @returns how many failed; jobs cut off by the signal count as not done
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
  screen.tell(`${tag} ${all} jobs${before}, on ${cores}`);
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
        (error: unknown) => ({ error: reasonOf(error) }),
      );
      if ('error' in result && isOver()) return false;
      const tookMs = Math.round(performance.now() - startedMs);
      keep({ key: job.key, tookMs, ...result });
      if ('error' in result) {
        failed += 1;
        screen.tell(`${tag} job ${job.key} failed: ${firstLine(result.error)}`);
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
