import type { ClosingReason } from '../../ipc';

export interface ShutdownSteps {
  /** Requests the window to end its session; it answers by `windowClosed`. False without a window. */
  askWindow: (reason: ClosingReason) => boolean;
  /** Completes the log and gives paths back. Left behind after a time limit. */
  close: (reason: ClosingReason) => Promise<void>;
  /** Writes the summary; returns the exit code. */
  report: (code: number) => number;
  exit: (code: number) => void;
}

export interface Shutdown {
  /** Ends the program in order, for any number of requests. */
  begin(reason: ClosingReason, code: number): void;
  /** The window has ended its session. */
  windowClosed(): void;
  readonly begun: boolean;
}

/** An unresponsive window must not keep the program alive. */
const WINDOW_LIMIT_MS = 2000;

/** Nor may a step of the end that waits for the network. Chosen; no measurement. */
const CLOSE_LIMIT_MS = 5000;

/**
 * Closes the window first, then the log, then the program, so that the log contains all of the window's
 * events.
 */
export function createShutdown(
  steps: ShutdownSteps,
  limitMs = WINDOW_LIMIT_MS,
  closeLimitMs = CLOSE_LIMIT_MS,
): Shutdown {
  let begun = false;
  let answered: () => void = () => {};

  const run = async (reason: ClosingReason, code: number): Promise<void> => {
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
      setTimeout(resolve, limitMs);
    });
    if (steps.askWindow(reason)) await answer;
    let exitCode = 1;
    try {
      const limit = new Promise<void>((resolve) => {
        setTimeout(resolve, closeLimitMs);
      });
      await Promise.race([steps.close(reason), limit]);
      exitCode = steps.report(code);
    } finally {
      steps.exit(exitCode);
    }
  };

  return {
    begin(reason, code) {
      if (begun) return;
      begun = true;
      void run(reason, code);
    },
    windowClosed: () => answered(),
    get begun() {
      return begun;
    },
  };
}
