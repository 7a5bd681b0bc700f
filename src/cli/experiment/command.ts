import { InvalidArgumentError, type Command } from 'commander';
import { readLanes } from '../lab/lanes';
import { readSeconds } from '../options';
import { aqm, QUICK_SECONDS, QUICK_TRIALS, type AqmOptions } from './aqm';

function readWhole(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    throw new InvalidArgumentError(`expected a whole number from ${from} to ${to}`);
  };
}

/** `multipath-dash experiment ...`. @param version of this program, for the run's record */
export function addExperimentCommand(program: Command, version: string): void {
  const experiment = program
    .command('experiment')
    .description('repeat the experiments of papers and compare what comes out');
  experiment
    .command('aqm')
    .description(
      'PIE and FQ-PIE at 5, 10 and 15 ms under DASH over MPTCP, beside "Quantifying Multimedia Streaming Quality: ' +
        'A Practical Analysis using PIE and Flow Queue PIE"',
    )
    .option(
      '--quick',
      `${QUICK_TRIALS} trials of ${QUICK_SECONDS} s each: about ten minutes, and wide intervals`,
    )
    .option('--trials <n>', 'trials of each of the six (default: 25)', readWhole(1, 1000))
    .option('--seconds <n>', 'playing time of a trial (default: 180)', (text: string) =>
      readSeconds(text, 7200),
    )
    .option(
      '--seed <n>',
      'of the first trial; the next have the next ones (default: 1)',
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
    .option('--retry-failed', 'with --resume: play failed trials again')
    .addHelpText(
      'after',
      `
Examples:
  multipath-dash experiment aqm --quick
  multipath-dash experiment aqm --out runs/aqm
  multipath-dash experiment aqm --resume runs/aqm

Leaves aqm.html, aqm.md and aqm.json beside what \`lab run\` leaves of each scenario. The whole of it, 25 trials of 180 s
of six scenarios, takes about 8 hours; docs/experiments/aqm.md tells more.`,
    )
    .action((options: AqmOptions) => aqm(options, version));
}
