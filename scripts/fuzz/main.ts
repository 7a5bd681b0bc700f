// Feeds every reader of outside input with damaged messages: `npm run fuzz -- [--minutes N] [--target NAME,...]`.
import { parseArgs } from 'node:util';
import { agentTarget } from './agent-target';
import { ipcTarget } from './ipc-target';
import { logTargets } from './log-target';
import { mpdTarget } from './mpd-target';
import { buildNativeTargets, nativeTargets } from './native-targets';
import type { FuzzTarget } from './target';

const SECOND_MS = 1000;
const DEFAULT_SECONDS = 60;
/** Seeds of libFuzzer and fast-check are 32 bits. */
const MAX_SEED = 2 ** 31 - 1;

const targets: readonly FuzzTarget[] = [
  ...nativeTargets,
  ...[mpdTarget, ipcTarget, ...logTargets, agentTarget],
];
const names = targets.map(({ name }) => name);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const seconds =
  values.minutes === undefined
    ? Number(values.seconds ?? DEFAULT_SECONDS)
    : Number(values.minutes) * 60;
const wanted = values.target?.split(',') ?? names;
const unknown = wanted.filter((name) => !names.includes(name));
if (values.help || unknown.length > 0 || !(seconds > 0)) {
  const usage = 'npm run fuzz -- [--minutes N | --seconds N] [--target NAME,...] [--seed N]';
  const text = `${usage}\n\nEach target runs for N (default: a minute).\ntargets: ${names.join(', ')}`;
  if (values.help) console.log(text);
  else console.error(unknown.length > 0 ? `unknown target ${unknown.join(', ')}\n${text}` : text);
  process.exit(values.help ? 0 : 2);
}
const seed = values.seed === undefined ? Math.floor(Math.random() * MAX_SEED) : Number(values.seed);

if (nativeTargets.some(({ name }) => wanted.includes(name))) buildNativeTargets();
let total = 0;
const failed: string[] = [];
for (const { name, run } of targets.filter((target) => wanted.includes(target.name))) {
  const started = performance.now();
  const { messages, failure } = await run(seconds * SECOND_MS, seed);
  const took = (performance.now() - started) / SECOND_MS;
  total += messages;
  console.log(`fuzz: ${name.padEnd(16)} ${String(messages).padStart(10)} in ${took.toFixed(0)} s`);
  if (failure === undefined) continue;
  failed.push(name);
  console.error(failure);
}
console.log(`fuzz: ${total} messages, seed ${seed}, ${failed.length} faults`);
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
