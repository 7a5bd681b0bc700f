// Everything that must hold before a change lands, in the order in which it fails fastest.
// Usage: npm test [-- --only STEP[,STEP...]] [--list]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { playwrightCounts, vitestCounts } from './test/counts.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const results = '.cache/test';
const inCi = process.env.CI === 'true';
const node = process.execPath;
const bin = (name) => `node_modules/${name}`;
const fuzzSeconds = inCi ? '60' : '10';

/** name, what it shows, command; `counts` reads how many tests a runner ran, else the step counts as one. */
const steps = [
  ['format', [node, bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.']],
  ['format-native', ['make', '-s', '-C', 'native', 'format-check']],
  ['lint', [node, bin('eslint/bin/eslint.js'), '.']],
  ['types', [node, bin('typescript/bin/tsc'), '-b']],
  [
    'layers',
    [
      node,
      bin('dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      'src',
    ],
  ],
  ['dead-code', [node, bin('knip/bin/knip.js')]],
  ['api-report', [node, 'scripts/api-report.mjs', '--check']],
  ['unit', vitest('unit'), vitestCounts],
  ['native', ['make', '-s', '-C', 'native', 'test']],
  ['privileged', vitest('privileged'), vitestCounts],
  ['tsan', ['make', '-s', '-C', 'native', 'tsan']],
  ['fuzz', ['make', '-s', '-C', 'native', 'fuzz', `FUZZ_SECONDS=${fuzzSeconds}`]],
  ['e2e', [node, 'scripts/e2e.mjs', '--reporter=list,json'], playwrightCounts],
];

function vitest(project) {
  const json = `${results}/${project}.json`;
  return [
    node,
    bin('vitest/vitest.mjs'),
    'run',
    '--project',
    project,
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${json}`,
  ];
}

function run(name, command) {
  process.stdout.write(`\n== ${name}\n`);
  const started = Date.now();
  const { status } = spawnSync(command[0], command.slice(1), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${results}/e2e.json` },
  });
  process.stdout.write(
    `== ${name} ${status === 0 ? 'ok' : 'FAILED'} (${Math.round((Date.now() - started) / 1000)} s)\n`,
  );
  return status === 0;
}

function countsOf(name, ok, read) {
  const file = `${results}/${name}.json`;
  const counted = read && existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : null;
  if (counted === null) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  // A runner that failed without a failing test (a crash, a leak) still failed.
  return ok || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}

if (values.help || values.list) {
  console.log(
    'npm test [-- --only STEP[,STEP...]]\n\nsteps: ' + steps.map(([name]) => name).join(', '),
  );
  process.exit(0);
}
const wanted = values.only?.split(',') ?? steps.map(([name]) => name);
const unknown = wanted.filter((name) => !steps.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(
    `unknown step ${unknown.join(', ')}; steps: ${steps.map(([name]) => name).join(', ')}`,
  );
  process.exit(2);
}

if (!run('setup', [node, 'scripts/setup.mjs', '--for', 'test'])) process.exit(1);
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const failedSteps = [];
for (const [name, command, read] of steps) {
  if (!wanted.includes(name)) continue;
  const ok = run(name, command);
  const counts = countsOf(name, ok, read);
  if (!ok) failedSteps.push(name);
  for (const key of Object.keys(total)) total[key] += counts[key];
}
if (inCi && total.skipped > 0) {
  console.log(`\n${total.skipped} skipped: on CI every test must run`);
  failedSteps.push('skipped tests');
}
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(', ')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(failedSteps.length > 0 ? 1 : 0);
