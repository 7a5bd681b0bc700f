import type { Command } from 'commander';
import { AQM_QUICK, experiments } from '../../experiments';
import { UserError } from '../../runner/host';
import { readLanes } from '../../runner/run';
import { readSeconds } from '../../runner/options';
import { aqm, type AqmOptions } from './aqm';
import { readWhole } from './read-whole';
import { runSimulated, type SimulatedOptions } from './simulated';
import { addJobsOption, addKeptOption } from './simulated-command';

/** Options of the lab's run and of the simulated one. */
type EitherOptions = AqmOptions & SimulatedOptions & { simulated?: boolean };

/** Options that only a real-time run has, and those that only a simulated one has. */
const LAB_ONLY = ['seconds', 'parallel', 'retryFailed'] as const;
const SIMULATED_ONLY = ['jobs', 'kept'] as const;

const optionName = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** @throws UserError naming an option that does not fit the kind of run */
function refuse(options: EitherOptions, keys: readonly (keyof EitherOptions)[], why: string): void {
  const given = keys.filter((key) => options[key] !== undefined);
  if (given.length > 0) throw new UserError(`${given.map(optionName).join(', ')}: ${why}`, 2);
}

async function aqmEither(options: EitherOptions, version: string): Promise<void> {
  if (options.simulated !== true) {
    refuse(options, SIMULATED_ONLY, 'only with --simulated (the lab plays --parallel trials)');
    return aqm(options, version);
  }
  refuse(
    options,
    LAB_ONLY,
    'only without --simulated (--jobs says how many are simulated at once)',
  );
  const experiment = experiments.find(({ name }) => name === 'aqm');
  if (experiment === undefined) throw new UserError('this program has no simulated aqm experiment');
  return runSimulated(experiment, options, version);
}

/** `experiment aqm`: in the lab, in real time, or with `--simulated`. */
export function addAqmCommand(group: Command, version: string): void {
  const command = group
    .command('aqm')
    .summary('PIE and FQ-PIE under DASH over MPTCP, in the lab or simulated')
    .description(
      'PIE and FQ-PIE at 5, 10 and 15 ms under DASH over MPTCP, beside "Quantifying Multimedia Streaming Quality: ' +
        'A Practical Analysis using PIE and Flow Queue PIE"',
    )
    .option('--simulated', 'simulate, on all cores, in place of playing in the lab')
    .option(
      '--quick',
      `${AQM_QUICK.trials} trials of ${AQM_QUICK.trialMs / 1000} s each: about ten minutes, and wide intervals`,
    )
    .option('--trials <n>', 'trials of each of the six (default: 25)', readWhole(1, 1000))
    .option('--seconds <n>', 'playing time of a trial (default: 180)', (text: string) =>
      readSeconds(text, 7200),
    )
    .option(
      '--seed <n>',
      'seed of the first trial; each further trial adds 1 (default: 1)',
      readWhole(0, 4_294_967_295),
    )
    .option(
      '--parallel <n>',
      'trials at the same time; auto: as many as this machine carries (default: 1)',
      readLanes,
    )
    .option('--out <dir>', 'folder of the run (default: runs/<time>)')
    .option('--json <file>', 'write the figures as JSON here too (- for standard output)')
    .option('--resume <dir>', 'go on with an interrupted run; finished trials are not repeated')
    .option('--retry-failed', 'with --resume: play failed trials again');
  addKeptOption(addJobsOption(command))
    .addHelpText(
      'after',
      `
Examples:
  multipath-dash experiment aqm --quick
  multipath-dash experiment aqm --out runs/aqm
  multipath-dash experiment aqm --resume runs/aqm
  multipath-dash experiment aqm --simulated --quick

Leaves aqm.html, aqm.md and aqm.json beside what \`lab run\` leaves of each scenario. The whole of it, 25 trials of 180 s
of six scenarios, takes about 8 hours; docs/experiments/aqm.md has the details.
With --simulated: no lab, no browser, no privileges; --seconds, --parallel and --retry-failed are the lab's alone.`,
    )
    .action((options: EitherOptions) => aqmEither(options, version));
}
