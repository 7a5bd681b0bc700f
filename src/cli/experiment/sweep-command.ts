import { InvalidArgumentError, type Command } from 'commander';
import type { Shard } from '../../experiments';
import { readSeconds } from '../../runner/options';
import { readWhole } from './read-whole';
import { addJobsOption } from './simulated-command';
import { runSweep, type SweepOptions } from '../../runner/sweep';

/** A larger number of shards is a typing mistake: each shard is a machine. */
const MAX_SHARDS = 10_000;

function readShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of && of <= MAX_SHARDS) return { index, of };
  throw new InvalidArgumentError('expected I/N, such as 1/4 for the first of four parts');
}

function readNames(text: string): string[] {
  const names = text.split(',').map((one) => one.trim());
  if (names.includes('')) throw new InvalidArgumentError('expected names with commas between them');
  return names;
}

/** `experiment sweep`. */
export function addSweepCommand(group: Command, version: string): void {
  const command = group
    .command('sweep')
    .summary("any scenario's parameters x players x traces, into one table; simulated")
    .description(
      "Simulates a grid or a random sample over any scenario's parameters, for several players, and writes a row a " +
        'session to a Parquet file',
    )
    .argument(
      '[files...]',
      'a sweep (scenarios/sweeps), or scenarios (default: decisions/two-unequal)',
    )
    .option(
      '--set <key=values>',
      'values of a parameter: a,b,c or FROM..TO or FROM..TO/STEPS, both also "... log"; may be repeated',
      (text: string, earlier?: string[]) => [...(earlier ?? []), text],
    )
    .option(
      '--sample <n>',
      'draw this number of points at random, not every combination',
      readWhole(1, 1_000_000),
    )
    .option(
      '--players <names>',
      'ours, RULE@OVER, such as robust-mpc@each-path (default: ours, ours@model, each reference rule @mptcp, robust-mpc@each-path)',
      readNames,
    )
    .option('--schedulers <names>', 'MPTCP schedulers (default: mainline)', readNames)
    .option('--congestion <names>', "congestion controls (default: the scenario's)", readNames)
    .option('--trials <n>', 'seeds of each point (default: 1)', readWhole(1, 100_000))
    .option(
      '--seed <n>',
      'of the first trial and of the sample (default: 1)',
      readWhole(0, 4_294_967_295),
    )
    .option(
      '--seconds <n>',
      "playing time of a session (default: the scenario's)",
      (text: string) => readSeconds(text, 7200),
    )
    .option('--quick', 'one short session of each, at most four points of a sample')
    .option('--shard <i/n>', 'only the i-th of n parts, for as many machines', readShard)
    .option('--out <dir>', 'folder of the run (default: runs/<time>)')
    .option('--json <file>', 'write the summary as JSON here too (- for standard output)')
    .option('--resume <dir>', 'go on with an interrupted run; finished sessions are not repeated');
  addJobsOption(command)
    .addHelpText(
      'after',
      `
Examples:
  multipath-dash experiment sweep --set 'topology.paths.lte.rate=250kbit..4mbit/5 log' --trials 3
  multipath-dash experiment sweep decisions/trace-1 decisions/trace-2 --players ours,robust-mpc@mptcp
  multipath-dash experiment sweep traces --sample 1000 --shard 1/4 --out runs/part-1
  multipath-dash experiment sweep --resume runs/part-1

Leaves sweep.parquet (pandas, DuckDB, pyarrow read it), a summary in sweep.md and sweep.json, and the outcome of every
session in jobs.jsonl. The page docs/experiments/sweep.md has the details, also how to spread a sweep over machines.`,
    )
    .action((files: string[], options: SweepOptions) => runSweep(files, options, version));
}
