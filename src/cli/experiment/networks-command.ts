import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Option, type Command } from 'commander';
import { drawPairs, PAIR_KINDS, pairFiles, type PairSet } from '../../experiments';
import { print } from '../../runner/host';
import { makeFolder, SHARED_FOLDER } from '../../transport';
import { readShipped } from './run-options';
import { readWhole } from './read-whole';

interface NetworksOptions {
  set: PairSet;
  count: number;
  seed: number;
  seconds: number;
}

/** `experiment networks`: the pairs of `training` or `validation` as scenarios of the lab. */
export function addNetworksCommand(group: Command): void {
  group
    .command('networks')
    .summary('the pairs of networks of `training` or `validation`, as scenarios of the lab')
    .description(
      'Writes pairs of networks as scenarios and traces, so that real kernels play what the experiments simulate',
    )
    .argument('<folder>', 'for the files; it is made')
    .addOption(
      new Option('--set <name>', 'of the pairs')
        .choices(['training', 'validation'])
        .default('training'),
    )
    .option('--count <n>', 'pairs of each kind: walk, trace, loss, other', readWhole(1, 1000), 4)
    .option(
      '--seed <n>',
      'of the training pairs; the validation pairs are always the same',
      readWhole(0, 1000),
      1,
    )
    .option('--seconds <n>', 'length of a session', readWhole(10, 3600), 60)
    .addHelpText(
      'after',
      `
Example:
  multipath-dash experiment networks runs/networks --seed 7
  multipath-dash lab run runs/networks/*.yaml --players multipath@ranges,robust-mpc@mptcp
`,
    )
    .action((folder: string, { set, count, seed, seconds }: NetworksOptions) => {
      makeFolder(folder, SHARED_FOLDER);
      const pairs = PAIR_KINDS.flatMap((kind) =>
        drawPairs({ set, kind, count, seed, seconds, read: readShipped }),
      );
      for (const pair of pairs) {
        for (const [name, text] of pairFiles(pair, seconds))
          writeFileSync(path.join(folder, name), text);
      }
      print(process.stdout, `${folder}: ${pairs.length} scenarios\n`);
    });
}
