// All checks that a change must pass. What measures and plays runs in order; what computes fills the gaps.
// Usage: npm test [-- --profile test|nightly] [--only STEP[,STEP...]] [--serial] [--list]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isNightly, readOptions, wrongOption } from './setup/options.mjs';
import { failure, playwrightCounts, vitestCounts } from './test/counts.mjs';

const USAGE = `npm test [-- --profile test|nightly] [--only STEP[,STEP...]] [--serial] [--list]

  --profile  nightly adds the variants, fuzzes each target for a minute (as CI does) and checks the native code with
             clang-tidy
  --only     these steps
  --serial   one after another
  --list     names the steps`;
const values = readOptions(USAGE, {
  profile: { type: 'string', default: 'test' },
  only: { type: 'string' },
  list: { type: 'boolean', default: false },
  serial: { type: 'boolean', default: false },
});
const nightly = isNightly(values.profile, USAGE);

const results = '.cache/test';
const inCi = process.env.CI === 'true';
const node = process.execPath;
const bin = (name) => `node_modules/${name}`;
const layers = ['--config', '.dependency-cruiser.cjs', 'src'];
const formatCheck = ['--check', '--log-level=warn', '.'];
/** Of a step that fails and names no test. An error outside all tests stands there. */
const LAST_LINES = 60;
/** Time of each of the eleven fuzz targets. */
const fuzzSeconds = nightly || inCi ? '60' : '1';

/** Each step has a sandbox of its own. Folders with few networks of their own: a lane takes one after another. */
const plainFolders = ['formats', 'player', 'app', 'cli', 'sdk'];
const specs = readdirSync('e2e', { recursive: true }).filter((file) => file.endsWith('.spec.ts'));
const networkFolders = [...new Set(specs.map((file) => file.split('/')[0]))].filter(
  (folder) => !plainFolders.includes(folder),
);

/**
 * Stages run one after another. Lanes of a stage run beside each other, each with its steps in order: name, command.
 * `counts` reads the number of tests from a runner's report; without it the step counts as one. The tests of `privileged`
 * measure, and wait more than they compute. A session in a browser takes less than a core.
 */
const stages = [
  [[['unit', vitest('unit'), vitestCounts]]],
  [
    [['privileged', vitest('privileged'), vitestCounts], e2e('e2e-network', networkFolders)],
    plainFolders.map((folder) => e2e(`e2e-${folder}`, [folder])),
  ],
];
/**
 * Steps that only compute run beside all stages, as SCHED_IDLE: they get what the others leave of the two cores.
 * The fuzzers share the objects of asan, so they follow it.
 */
const background = [
  [
    ['lint', idle([node, bin('eslint/bin/eslint.js'), '.'])],
    ['format', idle([node, bin('prettier/bin/prettier.cjs'), ...formatCheck])],
    ['layers', idle([node, bin('dependency-cruiser/bin/dependency-cruise.mjs'), ...layers])],
    ['dead-code', idle([node, bin('knip/bin/knip.js')])],
    ['audit', idle([node, 'scripts/audit.mjs'])],
  ],
  [
    ['native', idle(make('test'))],
    ['types', idle([node, bin('typescript/bin/tsc'), '-b'])],
    ['api-report', idle([node, 'scripts/api-report.mjs', '--check'])],
    ['format-native', idle(make('format-check'))],
    ['tsan', idle(make('tsan'))],
    ['asan', idle(make('asan'))],
    ['fuzz', idle([node, '--import', 'tsx', 'scripts/fuzz/main.ts', '--seconds', fuzzSeconds])],
    ...(nightly ? [['tidy', idle(make('tidy'))]] : []),
  ],
];
const steps = [...stages.flat(2), ...background.flat()];

function make(target) {
  return ['make', '-s', '-C', 'native', target];
}

/** Runs only while the core is otherwise idle, so it does not disturb a step that plays. */
function idle(command) {
  return ['chrt', '--idle', '0', ...command];
}

/** A step of Playwright. It empties its output folder at the start, so each step has its own. */
function e2e(name, folders) {
  const paths = folders.map((folder) => `e2e/${folder}/`);
  const output = `--output=test-results/${name.replace('e2e-', '')}`;
  const command = [node, 'scripts/e2e.mjs', ...paths, output, '--reporter=list,json'];
  return [name, command, playwrightCounts];
}

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

/** A step ends with the whole, whatever ends that. */
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.kill(process.pid, signal);
  });
}

/** Beside another step each line of the output has the name of its step. */
async function run([name, command], isAlone) {
  process.stdout.write(`\n== ${name}\n`);
  const started = Date.now();
  const child = spawn(command[0], command.slice(1), {
    stdio: isAlone ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TEST_PROFILE: values.profile,
      ...(nightly ? {} : { SANITIZE_LEVEL: '-O0' }),
      PLAYWRIGHT_JSON_OUTPUT_NAME: `${results}/${name}.json`,
    },
  });
  running.add(child);
  const lastLines = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      process.stdout.write(`${name} | ${line}\n`);
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
    });
  }
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${name}: ${error.message}`);
      resolve(1);
    });
    child.once('close', resolve);
  });
  running.delete(child);
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stdout.write(`== ${name} ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  return { ok: status === 0, lastLines };
}

function countsOf(name, ok, read) {
  const file = `${results}/${name}.json`;
  const counted = read && existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : null;
  if (counted === null) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  // A runner that failed without a failing test (a crash, a leak) still failed.
  return ok || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}

if (values.list) {
  console.log(steps.map(([name]) => name).join(', '));
  process.exit(0);
}
const lanesOfE2e = steps.map(([name]) => name).filter((name) => name.startsWith('e2e-'));
const wanted =
  values.only?.split(',').flatMap((name) => (name === 'e2e' ? lanesOfE2e : [name])) ??
  steps.map(([name]) => name);
const unknown = wanted.filter((name) => !steps.some(([known]) => known === name));
if (unknown.length > 0) {
  const known = steps.map(([name]) => name).join(', ');
  wrongOption(`--only ${unknown.join(',')}: expected one of ${known}`, USAGE);
}

const setup = await run(['setup', [node, 'scripts/setup.mjs', '--for', values.profile]], true);
if (!setup.ok) process.exit(1);
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const failedSteps = [];
const repeated = [];
const failures = [];
async function runLane(lane, isAlone) {
  for (const step of lane) {
    const [name, , read] = step;
    const { ok, lastLines } = await run(step, isAlone);
    const counts = countsOf(name, ok, read);
    if (!ok) failedSteps.push(name);
    for (const key of Object.keys(total)) total[key] += counts[key];
    repeated.push(...(counts.repeated ?? []));
    const named = counts.failures ?? [];
    failures.push(...named);
    if (!ok && named.length === 0 && lastLines.length > 0)
      failures.push(
        failure(`${name} failed without a failed test`, lastLines.join('\n'), LAST_LINES),
      );
  }
}
const wantedOf = (lanes) =>
  lanes
    .map((lane) => lane.filter(([name]) => wanted.includes(name)))
    .filter(({ length }) => length > 0);
const wantedStages = stages.map(wantedOf).filter(({ length }) => length > 0);
const wantedBackground = wantedOf(background);
if (values.serial || [...wantedStages.flat(), ...wantedBackground].length === 1) {
  await runLane([...wantedStages.flat(2), ...wantedBackground.flat()], true);
} else {
  const computed = Promise.all(wantedBackground.map((lane) => runLane(lane, false)));
  for (const lanes of wantedStages) await Promise.all(lanes.map((lane) => runLane(lane, false)));
  await computed;
}
if (inCi && total.skipped > 0) {
  console.log(`\n${total.skipped} skipped: on CI every test must run`);
  failedSteps.push('skipped tests');
}
const indented = (names) => names.map((name) => `  ${name}`).join('\n');
if (repeated.length > 0) console.log(`\npassed only at a later attempt:\n${indented(repeated)}`);
if (failures.length > 0) console.log(`\nfailures:\n${indented(failures)}`);
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(', ')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(failedSteps.length > 0 ? 1 : 0);
