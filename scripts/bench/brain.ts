// Cost of a decision: simulated sessions over two, three and five paths, whose inputs are replayed through
// the brain. Each input is timed separately and its fastest round counts, which removes the machine's other
// work. The first round, with uncompiled code, is reported separately. The share of a core is CPU time of
// whole replays, garbage collection included.
// Usage: node --import tsx scripts/bench/brain.ts [--json] [--seconds N] [--rounds N] [--policy NAME]
// [--all-policies]
import { BrainJournal } from '../../src/journal';
import {
  createBrain,
  DEFAULT_POLICY,
  stepBrain,
  type BrainConfig,
  type BrainInput,
} from '../../src/brain';
import { createRandom, median } from '../../src/core';
import { policies } from '../../src/policy';
import { expandTopology, type MediaSizes, type Scenario } from '../../src/scenario';
import { congestionControls, schedulers, simulateSession } from '../../src/sim';
import { readOptions, wrongOption } from '../setup/options.mjs';

/** Goals, on one core. */
const goal = { decisionMs: 1, corePercent: 1 };

const usage = `npm run bench -- brain [--json] [--seconds N] [--rounds N] [--policy NAME] [--all-policies]

Time of each decision and share of a core, for sessions of 2, 3 and 5 paths.
  --seconds N       playing time of a session (default 120)
  --rounds N        replays of it (default 7)
  --policy NAME     ${policies.map(({ name }) => name).join(', ')} (default ${DEFAULT_POLICY})
  --all-policies    each of them in turn
  --json            figures as JSON`;

const values = readOptions(usage, {
  json: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '120' },
  rounds: { type: 'string', default: '7' },
  policy: { type: 'string', default: DEFAULT_POLICY },
  'all-policies': { type: 'boolean', default: false },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
if (!(seconds >= 10 && rounds >= 1)) wrongOption('--seconds from 10, --rounds from 1', usage);
if (!policies.some(({ name }) => name === values.policy)) {
  wrongOption(`there is no policy "${values.policy}"`, usage);
}

const links = [
  { id: 'wifi', rateBps: 9e6, delayMs: 12 },
  { id: 'lte', rateBps: 4e6, delayMs: 45, lossRatio: 0.002 },
  { id: 'dsl', rateBps: 3e6, delayMs: 25 },
  { id: 'sat', rateBps: 2e6, delayMs: 150 },
  { id: 'nr', rateBps: 5e6, delayMs: 30, lossRatio: 0.001 },
];
const ratesBps = [300, 600, 1000, 1800, 3000, 4500, 6000, 8000, 12_000, 16_000].map((k) => k * 1e3);
const SEGMENT_MS = 2000;

/** Segments whose sizes vary around their rate, like those of a film. */
function film(): MediaSizes {
  const random = createRandom(7);
  const count = Math.ceil(seconds / (SEGMENT_MS / 1000)) + 30;
  const scale = Array.from({ length: count }, () => 0.6 + 0.8 * random());
  const sized = (bitrateBps: number): MediaSizes['video'][number] => ({
    bitrateBps,
    bytes: scale.map((one) => Math.round((bitrateBps * SEGMENT_MS * one) / 8000)),
  });
  return { segmentMs: SEGMENT_MS, video: ratesBps.map(sized), audio: [64_000, 128_000].map(sized) };
}

/** Paths that change, fail and return, so that decisions of all kinds occur. */
function scenario(paths: number): Scenario {
  const queue = { discipline: 'droptail' as const };
  const used = links.slice(0, paths);
  const states = ['down', 'up'] as const;
  return {
    name: `bench-${paths}`,
    title: '',
    source: '',
    description: '',
    topology: expandTopology({
      kind: 'multihomed',
      paths: used.map(({ id, ...direction }) => {
        const both = { ...direction, queue, queueBytes: 90_000 };
        return { id, down: both, up: both };
      }),
    }),
    server: { http: 'http1', tls: false, mptcp: true },
    media: { kind: 'demo' },
    traffic: [],
    players: [],
    events: [
      ...states.map((state, index) => ({
        atMs: 1000 * seconds * (0.3 + 0.1 * index),
        kind: 'link-state' as const,
        link: 'wifi',
        state,
      })),
      ...[0.5, 0.6, 0.7, 0.8].map((share, index) => ({
        atMs: 1000 * seconds * share,
        kind: 'link-change' as const,
        link: 'lte',
        ab: { rateBps: index % 2 === 0 ? 1e6 : 6e6 },
        ba: { rateBps: index % 2 === 0 ? 1e6 : 6e6 },
      })),
    ],
    durationMs: 1000 * seconds,
    trials: 1,
    seed: 1,
    queueSampleMs: 100,
    backend: 'emulator',
  };
}

/** All inputs of a brain in a session. */
function record(config: BrainConfig, paths: number): BrainInput[] {
  const inputs: BrainInput[] = [];
  simulateSession({
    scenario: scenario(paths),
    media: film(),
    player: { kind: 'brain', config },
    seed: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
    filterInput: (input) => {
      inputs.push(structuredClone(input));
      return [input];
    },
  });
  return inputs;
}

/** Milliseconds per input. */
function replayTimed(config: BrainConfig, inputs: readonly BrainInput[]): number[] {
  let state = createBrain(config);
  return inputs.map((input) => {
    const startMs = performance.now();
    ({ state } = stepBrain(state, input));
    return performance.now() - startMs;
  });
}

/** CPU milliseconds of all inputs, with or without the replay journal. */
function replayCpuMs(config: BrainConfig, inputs: readonly BrainInput[], writes: boolean): number {
  const before = process.cpuUsage();
  let state = createBrain(config);
  const journal = new BrainJournal();
  for (const input of inputs) {
    const { state: next, decision } = stepBrain(state, input);
    state = next;
    if (!writes) continue;
    if (input.type === 'decide' && decision) journal.decided(input.observation, decision);
    else if (input.type !== 'decide' && input.type !== 'configure') journal.input(input);
    JSON.stringify(journal.take());
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Cost {
  kind: string;
  count: number;
  medianMs: number;
  p99Ms: number;
  maxMs: number;
  /** The slowest of the first round. */
  coldMaxMs: number;
}

function costOf(kind: string, ms: readonly number[], cold: readonly number[]): Cost {
  const sorted = [...ms].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  const [medianMs, p99Ms, maxMs] = [at(0.5), at(0.99), at(1)];
  return { kind, count: ms.length, medianMs, p99Ms, maxMs, coldMaxMs: Math.max(...cold) };
}

interface Result {
  paths: number;
  policy: string;
  /** Cost of each input type. */
  costs: Cost[];
  /** Total of the brain, in a session at real pace. */
  corePercent: number;
  /** The journal's additional cost. */
  journalPercent: number;
  reached: boolean;
}

function measure(policy: string, paths: number): Result {
  const config: BrainConfig = { policy, abr: 'multipath' };
  const inputs = record(config, paths);
  const timed = Array.from({ length: rounds }, () => replayTimed(config, inputs));
  const each = inputs.map((_, index) => Math.min(...timed.map((ms) => ms[index] ?? 0)));
  const cpuMs = (writes: boolean): number =>
    median(Array.from({ length: rounds }, () => replayCpuMs(config, inputs, writes))) ?? 0;
  const kindOf = (input: BrainInput): string =>
    input.type === 'decide' ? `decide: ${input.observation.trigger}` : input.type;
  const kindAt = inputs.map(kindOf);
  const kinds = [...new Set(kindAt)].sort();
  const costs = kinds.map((kind) => {
    const of = (all: readonly number[]): number[] =>
      all.filter((_, index) => kindAt[index] === kind);
    return costOf(kind, of(each), of(timed[0] ?? []));
  });
  const times = inputs.flatMap((input) =>
    input.type === 'samples' ? [input.batch.monotonicMs] : [],
  );
  const sessionMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const corePercent = (100 * cpuMs(false)) / sessionMs;
  const journalPercent = Math.max(0, (100 * cpuMs(true)) / sessionMs - corePercent);
  const decisions = costs.filter(({ kind }) => kind.startsWith('decide'));
  const reached =
    decisions.every(({ maxMs }) => maxMs < goal.decisionMs) &&
    corePercent + journalPercent < goal.corePercent;
  return { paths, policy, costs, corePercent, journalPercent, reached };
}

function show({ paths, policy, costs, corePercent, journalPercent, reached }: Result): void {
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const cell = (ms: number): string => ms.toFixed(3).padStart(9);
  write(
    `${paths} paths, policy ${policy}: ${corePercent.toFixed(2)} % of a core, its journal ${journalPercent.toFixed(2)} %; ` +
      (reached ? 'goal reached' : `goal missed (${goal.decisionMs} ms, ${goal.corePercent} %)`),
  );
  write(`  ${'ms'.padEnd(20)} ${'count'.padStart(6)}    median      p99      max  max cold`);
  for (const { kind, count, medianMs, p99Ms, maxMs, coldMaxMs } of costs) {
    const cells = [medianMs, p99Ms, maxMs, coldMaxMs].map(cell).join('');
    write(`  ${kind.padEnd(20)} ${String(count).padStart(6)} ${cells}`);
  }
}

const chosen = values['all-policies'] ? policies.map(({ name }) => name) : [values.policy];
const results: Result[] = [];
for (const policy of chosen) {
  for (const paths of [2, 3, 5]) {
    process.stderr.write(`[bench] ${policy} over ${paths} paths: ${seconds} s, simulated\n`);
    const result = measure(policy, paths);
    results.push(result);
    if (!values.json) show(result);
  }
}
if (values.json) {
  process.stdout.write(`${JSON.stringify({ seconds, rounds, goal, results }, null, 2)}\n`);
}
