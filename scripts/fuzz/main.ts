// Feeds every reader of outside input with damaged messages: `npm run fuzz -- --help`.
import { readOptions, wrongOption } from '../setup/options.mjs';
import { agentTarget } from './agent-target';
import { ipcTarget } from './ipc-target';
import { logTargets } from './log-target';
import { mpdTarget } from './mpd-target';
import { buildNativeTargets, nativeTargets } from './native-targets';
import type { FuzzTarget } from './target';

const SECOND_MS = 1000;
/** Seeds of libFuzzer and fast-check are 32 bits. */
const MAX_SEED = 2 ** 31 - 1;

const targets: readonly FuzzTarget[] = [
  ...nativeTargets,
  ...[mpdTarget, ipcTarget, ...logTargets, agentTarget],
];
const names = targets.map(({ name }) => name);

const USAGE = `npm run fuzz -- [--minutes N | --seconds N] [--target NAME,...] [--seed N] [--json]

  --minutes  each target runs so long; default 1
  --seconds  the same in seconds
  --target   of ${names.join(', ')}
  --seed     repeats a run: an integer from 0 to ${MAX_SEED}
  --json     prints one object when all have run`;
const values = readOptions(USAGE, {
  minutes: { type: 'string' },
  seconds: { type: 'string' },
  target: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean', default: false },
});
const forMs =
  values.seconds === undefined
    ? Number(values.minutes ?? 1) * 60 * SECOND_MS
    : Number(values.seconds) * SECOND_MS;
if (!(forMs > 0 && Number.isFinite(forMs))) {
  wrongOption('--minutes and --seconds: expected a positive number', USAGE);
}
if (values.seconds !== undefined && values.minutes !== undefined) {
  wrongOption('--minutes and --seconds: give one of them', USAGE);
}
const wanted = values.target?.split(',') ?? names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) wrongOption(`--target: no target ${unknown.join(', ')}`, USAGE);
const seed = Number(values.seed ?? Math.floor(Math.random() * MAX_SEED));
if (!(Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED)) {
  wrongOption(`--seed ${values.seed ?? ''}: expected an integer from 0 to ${MAX_SEED}`, USAGE);
}

if (nativeTargets.some(({ name }) => wanted.includes(name))) buildNativeTargets();
const reports = [];
for (const { name, run } of targets.filter((target) => wanted.includes(target.name))) {
  const started = performance.now();
  const { messages, failure } = await run(forMs, seed);
  const seconds = Math.round((performance.now() - started) / SECOND_MS);
  reports.push({ target: name, messages, seconds, failure });
  console.error(`fuzz: ${name.padEnd(16)} ${String(messages).padStart(10)} in ${seconds} s`);
  if (failure !== undefined) console.error(failure);
}
const messages = reports.reduce((sum, report) => sum + report.messages, 0);
const failed = reports.filter(({ failure }) => failure !== undefined);
if (values.json) console.log(JSON.stringify({ seed, messages, targets: reports }));
else console.log(`fuzz: ${messages} messages, seed ${seed}, ${failed.length} faults`);
if (failed.length > 0) console.error(`failed: ${failed.map(({ target }) => target).join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
