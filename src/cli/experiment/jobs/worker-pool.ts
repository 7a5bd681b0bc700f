import { existsSync } from 'node:fs';
import path from 'node:path';
import { pool } from 'workerpool';
import { CliError } from '../../cli-error';
import { packageRoot } from '../../package-root';

/** Simulates on threads of their own. */
export interface Workers {
  /** @throws Error what the work threw, or that its thread died */
  run(request: unknown): Promise<unknown>;
  /** Ends all threads at once, whatever they are at; what still runs fails. May be called again. */
  end(): Promise<void>;
}

/** The worker's bundle, beside the command's. */
const builtWorker = (): string => path.join(packageRoot(), 'dist/cli/experiment-worker.cjs');

/** A thread that is asked to end and simulates on is stopped after this long. */
const PATIENCE_MS = 100;
/** Long enough for a thread to be stopped in the middle of a simulation. */
const END_MS = 10_000;

/**
 * Threads that simulate. One that dies (out of memory, say) costs the job it was at; the next job gets a new one.
 * @param lanes how many at most
 * @throws CliError when the worker was not built
 */
export function startWorkers(lanes: number, script = builtWorker()): Workers {
  if (!existsSync(script)) throw new CliError(`there is no ${script}: run \`npm run build\``);
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
