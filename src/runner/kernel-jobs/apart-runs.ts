import { setMaxListeners } from 'node:events';
import { enterSandbox } from '../../lab';

/** Time for a run to end in order after its signal. */
const GRACE_MS = 10_000;
/** Characters kept of a run's standard error. */
const MAX_OUTPUT = 20_000;

/** The message of a failed run in one line, without a stack. */
function messageOf(errors: string): string {
  const at = errors.lastIndexOf('multipath-dash: ');
  return at < 0
    ? lastLine(errors)
    : errors
        .slice(at)
        .trim()
        .replaceAll(/\s*\n\s*/g, '; ');
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? '';

/** This program, which has the hidden commands that measure a job. */
export const ownProgram = (): string[] => [
  process.execPath,
  ...process.execArgv,
  process.argv[1] ?? '',
];

/** Jobs of an experiment on the kernel, each measured by this program again in a sandbox of its own. */
export class ApartRuns {
  readonly #argv: readonly string[];
  readonly #running = new Set<Promise<unknown>>();

  /** @param argv the program and its command, which takes the job as its last argument ({@link answerInside}) */
  constructor(argv: readonly string[]) {
    this.#argv = argv;
    // Every running sandbox listens for signals.
    setMaxListeners(0, process);
  }

  /** @throws Error with the last line of its standard error */
  run(job: unknown): Promise<unknown> {
    const run = this.#measure(job);
    this.#running.add(run);
    return run.finally(() => this.#running.delete(run));
  }

  /** Waits for the running ones. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #measure(job: unknown): Promise<unknown> {
    let output = '';
    let errors = '';
    const status = await enterSandbox({
      argv: [...this.#argv, JSON.stringify(job)],
      stdio: 'pipe',
      graceMs: GRACE_MS,
      onStdout: (text) => {
        output += text;
      },
      onStderr: (text) => {
        errors = (errors + text).slice(-MAX_OUTPUT);
      },
    });
    if (status === 0) return JSON.parse(lastLine(output)) as unknown;
    throw new Error(messageOf(errors) || `its process ended with status ${status}`);
  }
}
