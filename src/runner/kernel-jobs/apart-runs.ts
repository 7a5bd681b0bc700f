import { setMaxListeners } from 'node:events';
import { enterSandbox } from '../../lab';
import { lastLine } from '../host';

/** Time for a run to end in order after its signal. */
const GRACE_MS = 10_000;
/** Characters kept of a run's standard error. */
const MAX_OUTPUT = 20_000;

const PREFIX = 'multipath-dash: ';

/** The message of a failed run in one line, without a stack: from the last line on that this program begins. */
function messageOf(errors: string): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '' && !/^\s*at /.test(line));
  const from = lines.map((line) => line.startsWith(PREFIX)).lastIndexOf(true);
  return lines
    .slice(from)
    .map((line) => line.trim())
    .join('; ');
}

/** Jobs of an experiment on the kernel. A new process of this program measures each one in its own sandbox. */
export class ApartRuns {
  readonly #argv: readonly string[];
  readonly #running = new Set<Promise<unknown>>();

  /** @param argv the program and its command, which takes the job as its last argument ({@link answerInside}) */
  constructor(argv: readonly string[]) {
    this.#argv = argv;
    // Every running sandbox listens for signals.
    setMaxListeners(0, process);
  }

  /** @throws Error with the message on its standard error */
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
