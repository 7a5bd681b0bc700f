// Plays the fault campaign (docs/faults.md): sessions of the lab, and the tests of all other faults.
// Usage: npm run faults [-- --profile test|nightly] [--times N] [--load]
import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { tsImport } from 'tsx/esm/api';
import { isNightly, readOptions, wrongOption } from './setup/options.mjs';

const USAGE = `npm run faults -- [--profile test|nightly] [--times N] [--load]

  --profile  nightly adds the rows \`nightly\` of docs/faults.md, and the variants of formats and players
  --times    plays the campaign so often
  --load     keeps every processor busy meanwhile`;
const values = readOptions(USAGE, {
  profile: { type: 'string', default: 'test' },
  times: { type: 'string', default: '1' },
  load: { type: 'boolean', default: false },
});
const { profile } = values;
const times = Number(values.times);
const nightly = isNightly(profile, USAGE);
if (!(times >= 1)) wrongOption(`--times ${values.times}: expected 1 or more`, USAGE);

const { campaign, ofParts } = await tsImport('../e2e/faults/campaign.ts', import.meta.url);
const files = [...new Set([...campaign, ...ofParts].map(({ test }) => test.file))];
const inBrowser = files.filter((file) => file.startsWith('e2e/'));
// Variants of formats and players beside the faults.
if (nightly) inBrowser.push('e2e/formats/', 'e2e/qoe/players.spec.ts');
const inNode = files.filter((file) => !file.startsWith('e2e/'));

function run(what, command) {
  const started = Date.now();
  const { status } = spawnSync(process.execPath, command, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_PROFILE: profile },
  });
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`== ${what} ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)`);
  return status === 0;
}

/** Ends with its parent, also when that is killed. */
const LOOP = 'const { ppid } = process; while (process.ppid === ppid);';
const loops = values.load
  ? Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }),
    )
  : [];
let failed = 0;
for (let time = 1; time <= times; time += 1) {
  const ok = [
    run(`unit and privileged, ${time}`, ['node_modules/vitest/vitest.mjs', 'run', ...inNode]),
    run(`sessions, ${time}`, ['scripts/e2e.mjs', ...inBrowser]),
  ];
  failed += ok.filter((one) => !one).length;
}
for (const loop of loops) loop.kill();
process.exit(failed > 0 ? 1 : 0);
