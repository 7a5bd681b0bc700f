import { InvalidArgumentError, type Command } from 'commander';
import { readSeconds } from '../../runner/options';
import { check, type CheckOptions } from './check';
import { clean } from './clean';
import { readLanes, run, type RunOptions, trialInside } from '../../runner/run';
import { list } from './list';
import { addLabReport } from './results-command';
import { shell, type ShellOptions } from './shell';

function readTrials(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 1000) {
    throw new InvalidArgumentError('expected a whole number from 1 to 1000');
  }
  return value;
}

const collect = (text: string, earlier: string[] = []): string[] => [...earlier, text];
const words = (text: string): string[] => text.split(',').map((word) => word.trim());

const setOption = [
  '--set <key=value>',
  "a field in place of the file's, such as topology.paths.wifi.rate=8mbit; may be repeated",
] as const;

function addRun(lab: Command, version: string): void {
  lab
    .command('run')
    .description('play all players of a scenario by turns, then compare them')
    .argument('[scenario...]', 'scenario files, a folder of them, or names from `lab list`')
    .option('--trials <n>', 'times each player plays', readTrials)
    .option('--players <a,b>', 'these players only, such as ours,dynamic@mptcp', words)
    .option(...setOption, collect)
    .option('--seconds <n>', 'playing time of a trial', (text: string) => readSeconds(text, 7200))
    .option('--quick', 'one short trial each: does it work?')
    .option(
      '--parallel <n>',
      'trials at the same time, each in a sandbox of its own; auto: as many as this machine carries (default: 1)',
      readLanes,
    )
    .option('--out <dir>', 'folder of the run (default: runs/<time>)')
    .option('--json <file>', 'write the results as JSON (- for standard output)')
    .option('--resume <dir>', 'go on with an interrupted run; finished trials are not repeated')
    .option('--retry-failed', 'with --resume: play failed trials again')
    .addHelpText(
      'after',
      `
Examples:
  multipath-dash lab run scenarios/wifi-and-slow-lte.yaml --quick
  multipath-dash lab run scenarios/decisions/ --trials 10 --json results.json
  multipath-dash lab run my.yaml --players ours,bola@wifi --set topology.paths.wifi.rate=8mbit
  multipath-dash lab run scenarios/decisions/two-similar.yaml --parallel auto
  multipath-dash lab run --resume runs/2026-01-31T12-00-00

Trials that run at the same time share the processors: with --parallel, the players of one trial run side by side,
so that what disturbs one disturbs the others, and media with \`pictures: small\` leave room for it.

A failed trial is kept and reported, and the run goes on; then the exit status is 1. Ctrl-C ends in order (130).`,
    )
    .action((targets: string[], options: RunOptions) => run(targets, options, version));
}

/** `multipath-dash lab ...`. @param version of this program, for the run's record */
export function addLabCommand(program: Command, version: string): void {
  const lab = program
    .command('lab')
    .description('repeatable runs of real players over emulated multipath networks')
    .enablePositionalOptions();
  lab
    .command('list')
    .description('scenarios, with their paths and players')
    .argument('[dir]', 'a folder (default: those that come with the program)')
    .option('--json', 'as JSON')
    .action((dir: string | undefined, options: { json?: boolean }) => list(dir, options));
  addRun(lab, version);
  addLabReport(lab);
  lab
    .command('check')
    .description('check scenario files, and show what their traces hold, without running them')
    .argument('<scenario...>', 'scenario files, folders, or names from `lab list`')
    .option(...setOption, collect)
    .option('--json', 'as JSON: each file with its problems')
    .addHelpText('after', '\nExample:\n  multipath-dash lab check my.yaml --set trials=3')
    .action((targets: string[], options: CheckOptions) => check(targets, options));
  lab
    .command('shell')
    .description('a prompt in the network of a scenario')
    .argument('<scenario>', 'scenario file, or a name from `lab list`')
    .argument('[command...]', 'runs this in place of a shell')
    .option('--in <node>', 'in whose namespace', 'client')
    .option('--events', "let the scenario's events happen")
    .option(...setOption, collect)
    .addHelpText(
      'after',
      `
Examples:
  multipath-dash lab shell scenarios/wifi-and-slow-lte.yaml
  multipath-dash lab shell scenarios/wifi-and-slow-lte.yaml --in server -- ss -Mi
  multipath-dash lab shell --in client scenarios/two-similar-paths.yaml -- sh -c 'mptcpize run curl -sO $LAB_URL'`,
    )
    .action((target: string, command: string[], options: ShellOptions) =>
      shell(target, command, options),
    );
  lab
    .command('clean')
    .description(
      'remove what runs that crashed have left: our processes and throw-away folders, nothing else',
    )
    .option('--dry-run', 'only list the findings', false)
    .option('--json', 'as JSON', false)
    .action((options: { dryRun: boolean; json: boolean }) => clean(options));
  lab
    .command('trial', { hidden: true })
    .argument('<run>')
    .argument('<number>')
    .action((runDir: string, number: string) => trialInside(runDir, Number(number)));
}
