import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Option, type Command } from 'commander';
import {
  kernelExperiments,
  sessionOutcome,
  stickyKernelOutcome,
  type Experiment,
} from '../../experiments';
import { startAqmRuns } from '../../runner/aqm';
import { measureInside, startKernelRuns } from '../../runner/cc';
import { startGeneticRuns, streamInside, watchInside } from '../../runner/genetic';
import { defaultRunDir } from '../../runner/host';
import type { Workers } from '../../runner/jobs';
import { startLogSessions } from '../../runner/log-sessions';
import { carriedLanes } from '../../runner/run';
import { runSimulated, type SimulatedOptions } from './simulated';

/** Logs of the lab's sessions, below the folder of the run. */
const SESSIONS = 'sessions';

export type BackendOptions = SimulatedOptions & { backend?: 'simulated' | 'kernel' };

/** The lab's part of an experiment of {@link kernelExperiments}. */
interface KernelBackend {
  /** @param folder of the sessions' logs */
  start: (folder: string) => Promise<Workers>;
  /** Runs at the same time; a busy machine would delay the packets. */
  lanes: number;
  /** It loads BPF; the lab alone needs no root. */
  needsRoot?: true;
  /** For `--help`: the runs and their needs. */
  help: string;
}

/** By the name of the simulated experiment. */
const KERNEL: Readonly<Record<string, KernelBackend>> = {
  aqm: {
    start: (folder) => startAqmRuns(folder),
    // A run takes two thirds of a core. Two at a time measure what one measures (docs/experiments/aqm.md).
    lanes: Math.min(2, availableParallelism()),
    help: `the lab plays the six scenarios (scenarios/aqm) in real time: emulated links with the queue under test,
Linux MPTCP, nginx and Chromium beside downloads, calls and web pages. It needs what the lab needs`,
  },
  cc: {
    start: () => startKernelRuns(),
    needsRoot: true,
    // A run takes half a core.
    lanes: Math.min(2, availableParallelism()),
    help: `Linux MPTCP over two emulated LTE paths in the lab, with pairs in BPF (native/congestion). It needs
Linux 6.10, root and the built controls`,
  },
  genetic: {
    start: () => startGeneticRuns(),
    // A run takes a third of a core.
    lanes: Math.min(2, availableParallelism()),
    help: `five clients of Linux MPTCP over the custom topology in the lab, each switch a namespace, with the
routes that each selection chooses; beside it the same runs simulated. It needs what the lab needs`,
  },
  'mptcp-plus': {
    start: (folder) =>
      startLogSessions({
        folder,
        outcomeOf: sessionOutcome,
        // MPTCP's and MPTCP+'s.
        controls: ['mpd_lia', 'mpd_mcc'],
      }),
    needsRoot: true,
    lanes: carriedLanes([]),
    help: `the lab plays the systems of scenarios/mptcp-plus: Linux MPTCP with LIA or MCC in BPF
(native/congestion), the path use decision beside nginx, Chromium with dash.js's rule of 2016 or ours. It needs
Linux 6.5, root and the built controls`,
  },
  sticky: {
    start: (folder) => startLogSessions({ folder, outcomeOf: stickyKernelOutcome }),
    lanes: carriedLanes([]),
    help: `the lab plays the rules of scenarios/sticky over Linux MPTCP and over byte ranges, beside all paths and
one path, with nginx and Chromium. It needs what the lab needs`,
  },
};

/** Adds the choice of the backend to an experiment that has one. */
export function addBackendOption(command: Command, name: string): void {
  const experiment = kernelExperiments[name];
  const kernel = KERNEL[name];
  if (experiment === undefined || kernel === undefined) return;
  const { lanes, help, needsRoot } = kernel;
  const { quick, whole } = experiment.lasts;
  command
    .addOption(
      new Option('--backend <name>', 'where the runs take place')
        .choices(['simulated', 'kernel'])
        .default('simulated'),
    )
    .addHelpText(
      'after',
      `
With --backend kernel: ${help}, and lasts ${quick} with --quick, else ${whole}. It leaves
${experiment.name}.html, ${experiment.name}.md and ${experiment.name}.json. --jobs is the number of runs at the same time (default: ${lanes}).
  ${needsRoot ? 'sudo ' : ''}multipath-dash experiment ${name} --backend kernel --quick`,
    );
}

/** Runs the jobs of an experiment by workers of the lab. */
export async function runInLab(
  experiment: Experiment,
  options: SimulatedOptions,
  version: string,
  start: KernelBackend['start'],
  command?: string,
): Promise<void> {
  const folder = options.resume ?? options.out ?? defaultRunDir(new Date());
  const workers = await start(path.resolve(folder, SESSIONS));
  try {
    await runSimulated(
      experiment,
      { ...options, ...(options.resume === undefined ? { out: folder } : {}) },
      version,
      () => workers,
      command,
    );
  } finally {
    await workers.end();
  }
}

/** An experiment that is simulated, or measured on the kernel where `--backend` says so. */
export async function runBackend(
  simulated: Experiment,
  { backend, ...options }: BackendOptions,
  version: string,
): Promise<void> {
  const experiment = kernelExperiments[simulated.name];
  const kernel = KERNEL[simulated.name];
  if (backend !== 'kernel' || experiment === undefined || kernel === undefined)
    return runSimulated(simulated, options, version);
  await runInLab(
    experiment,
    { ...options, jobs: options.jobs ?? kernel.lanes },
    version,
    kernel.start,
    `experiment ${simulated.name} --backend kernel`,
  );
}

/** The hidden commands of `--backend kernel`: one run, inside its sandbox, and a client of it. */
export function addRunCommands(group: Command): void {
  const add = (usage: string, action: (text: string) => Promise<void>): void => {
    group.command(usage, { hidden: true }).action(action);
  };
  add('cc-run <job>', (job) => measureInside(job));
  add('genetic-run <job>', (job) => streamInside(job));
  add('genetic-viewer <request>', (request) => watchInside(request));
}
