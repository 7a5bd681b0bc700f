import type { Command } from 'commander';
import { experiments, type Experiment } from '../../experiments';
import { addBackendOption, runBackend } from './backend-command';
import { runDecisions } from './decisions-command';
import { readWhole } from './read-whole';
import type { runSimulated, SimulatedOptions } from './simulated';

/** More threads are a mistake. */
const MAX_JOBS = 1024;

/** The option for the number of simulating threads. */
export const addJobsOption = (command: Command): Command =>
  command.option(
    '--jobs <n>',
    'simulations at the same time (default: one a core)',
    readWhole(1, MAX_JOBS),
  );

/** The option for results that the repository keeps. */
const addKeptOption = (command: Command): Command =>
  command.option(
    '--kept [folder]',
    'go on with the results kept in a folder, keep the new ones there and renew its pages (default folder: docs/experiments)',
  );

/** Experiments that the lab runs. */
const RUNS: Readonly<Record<string, typeof runSimulated>> = { decisions: runDecisions };

const descriptionOf = ({ name, summary, paper }: Experiment): string =>
  name === 'decisions'
    ? `${summary}. Needs what the lab needs; a part is simulated too`
    : `${summary}. Simulated${paper === '' ? '' : `, beside "${paper}"`}`;

/** Only a simulation gives the same figures again. */
const repeatOf = ({ name }: Experiment): string =>
  name in RUNS ? '' : ' The same seed gives the same figures on every machine.';

function addOne(group: Command, experiment: Experiment, version: string): void {
  const { name, summary, lasts, trials } = experiment;
  const command = group
    .command(name)
    .summary(summary)
    .description(descriptionOf(experiment))
    .option('--quick', `few and short runs, wide intervals: ${lasts.quick}`)
    .option(
      '--trials <n>',
      trials ?? "of each cell (default: the experiment's own number)",
      readWhole(1, 100_000),
    )
    .option(
      '--seed <n>',
      'seed of the first trial; each further trial adds 1 (default: 1)',
      readWhole(0, 4_294_967_295),
    )
    .option('--out <dir>', 'folder of the run (default: runs/<time>)')
    .option('--json <file>', 'write the figures as JSON here too (- for standard output)')
    .option('--resume <dir>', 'go on with an interrupted run; finished jobs are not repeated');
  addKeptOption(addJobsOption(command))
    .addHelpText(
      'after',
      `
Examples:
  multipath-dash experiment ${name} --quick
  multipath-dash experiment ${name} --out runs/${name}
  multipath-dash experiment ${name} --resume runs/${name}

Leaves ${name}.html, ${name}.md and ${name}.json, and the outcome of every job in jobs.jsonl.
Lasts: ${lasts.quick} with --quick, else ${lasts.whole}.${repeatOf(experiment)}`,
    )
    .action((options: SimulatedOptions) =>
      (RUNS[name] ?? runBackend)(experiment, options, version),
    );
  addBackendOption(command, name);
}

/** A command for each simulated experiment. */
export function addSimulatedCommands(group: Command, version: string): void {
  for (const experiment of experiments) addOne(group, experiment, version);
}
