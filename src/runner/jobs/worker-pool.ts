import { existsSync } from 'node:fs';
import path from 'node:path';
import { pool } from 'workerpool';
import { UserError } from '../host/user-error';
import { packageRoot } from '../host/package-root';

/** Simulates on worker threads. */
export interface Workers {
  /** @throws Error of the work, or because its thread crashed */
  run(request: unknown): Promise<unknown>;
  /** Ends all threads at once. Running jobs fail. May be called again. */
  end(): Promise<void>;
}

/** The worker's bundle, beside the command's. */
const builtWorker = (): string => path.join(packageRoot(), 'dist/cli/experiment-worker.cjs');

/** A thread that ignores the request to end is stopped after this time. */
const PATIENCE_MS = 100;
/** Long enough to stop a thread during a simulation. */
const END_MS = 10_000;

/**
 * Threads that simulate. A crashed thread (out of memory, for example) fails its job. The next job gets a new
 * thread.
 * @param lanes maximum number of threads
 * @throws UserError if the worker was not built
 */
export function startWorkers(lanes: number, script = builtWorker()): Workers {
  if (!existsSync(script)) throw new UserError(`there is no ${script}: run \`npm run build\``);
  const workers = pool(script, {
    workerType: 'thread',
    maxWorkers: lanes,
    workerTerminateTimeout: PATIENCE_MS,
  });
  let ended: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await workers.terminate(true, END_MS);
  };
  return {
    run: async (request) => (await workers.exec('simulate', [request])) as unknown,
    end: () => (ended ??= end()),
  };
}
