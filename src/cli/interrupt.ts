const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work` with a signal that the first Ctrl-C (or SIGTERM, SIGHUP) aborts, so that it can end in order; a
 * second one ends the process as ever. Afterwards signals act as before.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => {
    release();
    controller.abort();
  };
  const release = (): void => {
    for (const name of signals) process.off(name, abort);
  };
  for (const name of signals) process.on(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

/** Exit status of a program that Ctrl-C ended. */
export const interruptedStatus = 130;
