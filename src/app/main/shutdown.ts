import type { ClosingReason } from '../../ipc';

export interface ShutdownSteps {
  /** Asks the window to end its session; it answers by `windowClosed`. False when there is nobody to ask. */
  askWindow: (reason: ClosingReason) => boolean;
  /** Completes the log and whatever is written at the end; gives the exit code. */
  finish: (reason: ClosingReason, code: number) => Promise<number>;
  exit: (code: number) => void;
}

export interface Shutdown {
  /** Ends the program in order, whoever asks and however often. */
  begin(reason: ClosingReason, code: number): void;
  /** The window has ended its session. */
  windowClosed(): void;
  readonly begun: boolean;
}

/** A window that does not answer must not keep the program alive. */
const windowLimitMs = 2000;

/** Window first, then the log, then the program: so that the log holds all the window saw. */
export function createShutdown(steps: ShutdownSteps, limitMs = windowLimitMs): Shutdown {
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
      exitCode = await steps.finish(reason, code);
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
