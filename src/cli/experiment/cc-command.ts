import { availableParallelism } from 'node:os';
import { Option, type Command } from 'commander';
import { ccKernelExperiment, type Experiment } from '../../experiments';
import { measureInside, startKernelRuns } from '../../runner/cc';
import { runSimulated, type SimulatedOptions } from './simulated';

/** A run takes half a core; a busy machine would delay the packets. */
const MAX_AT_ONCE = 2;

export type CcOptions = SimulatedOptions & { backend?: 'simulated' | 'kernel' };

/** Adds the choice of the backend to `experiment cc`. */
export function addBackendOption(command: Command): void {
  const { quick, whole } = ccKernelExperiment.lasts;
  command
    .addOption(
      new Option('--backend <name>', 'where the runs take place')
        .choices(['simulated', 'kernel'])
        .default('simulated'),
    )
    .addHelpText(
      'after',
      `
With --backend kernel: Linux MPTCP over two emulated LTE paths in the lab, with pairs in BPF (native/congestion). It needs
Linux 6.10, root and the built controls, and lasts ${quick} with --quick, else ${whole}. It leaves
cc-kernel.html, cc-kernel.md and cc-kernel.json. --jobs is the number of runs at the same time (default: two).
  sudo multipath-dash experiment cc --backend kernel --quick`,
    );
}

/** `experiment cc`, simulated or in the kernel. */
export async function runCc(
  simulated: Experiment,
  { backend, ...options }: CcOptions,
  version: string,
): Promise<void> {
  if (backend !== 'kernel') return runSimulated(simulated, options, version);
  const workers = await startKernelRuns();
  try {
    const jobs = options.jobs ?? Math.min(MAX_AT_ONCE, availableParallelism());
    await runSimulated(
      ccKernelExperiment,
      { ...options, jobs },
      version,
      () => workers,
      'experiment cc --backend kernel',
    );
  } finally {
    await workers.end();
  }
}

/** `experiment cc-run`: one run, inside its sandbox; hidden. */
export function addCcRunCommand(group: Command): void {
  group.command('cc-run <job>', { hidden: true }).action((job: string) => measureInside(job));
}
