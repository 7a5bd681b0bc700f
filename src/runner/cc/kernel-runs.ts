import { setMaxListeners } from 'node:events';
import { errorText } from '../../core';
import { KERNEL_CONTROLS } from '../../experiments';
import { checkTrafficPrograms, enterSandbox, holdCoupledControls, labRefusal } from '../../lab';
import { UserError } from '../host';
import type { Workers } from '../jobs';

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

/** This program, which has the command `experiment cc-run`. */
const ownProgram = (): string[] => [process.execPath, ...process.execArgv, process.argv[1] ?? ''];

/** Measures one job in a sandbox of its own. @throws Error with the last line of its standard error */
async function measureApart(program: readonly string[], job: unknown): Promise<unknown> {
  let output = '';
  let errors = '';
  const status = await enterSandbox({
    argv: [...program, 'experiment', 'cc-run', JSON.stringify(job)],
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

/**
 * Loads the coupled controls and their pairs for the life of this process; the kernel unloads them when it ends,
 * also after a crash.
 * @param program with the command `experiment cc-run JOB`
 * @returns runs jobs in sandboxes; `end` waits for the running ones and unloads
 * @throws LabError where this machine has no lab; UserError in one line where it cannot load BPF struct_ops
 */
export async function startKernelRuns(program = ownProgram()): Promise<Workers> {
  const refusal = await labRefusal({ isEmulated: true });
  if (refusal !== undefined) throw refusal;
  // iperf3 makes the download.
  await checkTrafficPrograms([{ kind: 'ftp' }]);
  const release = await holdCoupledControls(KERNEL_CONTROLS).catch((error: unknown) => {
    throw new UserError(
      `--backend kernel needs congestion controls that this machine cannot load (BPF struct_ops): ${errorText(error).replaceAll('\n', '; ')}`,
    );
  });
  // Every running sandbox listens for signals.
  setMaxListeners(0, process);
  const running = new Set<Promise<unknown>>();
  let ended: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await Promise.allSettled(running);
    await release();
  };
  return {
    run: (request) => {
      const { job } = request as { job: unknown };
      const run = measureApart(program, job);
      running.add(run);
      return run.finally(() => running.delete(run));
    },
    end: () => (ended ??= end()),
  };
}
