import { END_SIGNALS } from '../../core';

/**
 * Runs `work` with an abort signal for the first Ctrl-C (or SIGTERM, SIGHUP), so that it can end in order. A
 * second one ends the process by default. Afterwards signals have their previous handlers.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => {
    release();
    controller.abort();
  };
  const release = (): void => {
    for (const name of END_SIGNALS) process.off(name, abort);
  };
  for (const name of END_SIGNALS) process.on(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

/** Exit status of a program ended by Ctrl-C. */
export const INTERRUPTED_STATUS = 130;

/** Like {@link interruptible}. Work that Ctrl-C makes fail sets the exit status, and the result is undefined. */
export async function unlessInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return interruptible(async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      process.exitCode = INTERRUPTED_STATUS;
      return undefined;
    }
  });
}
