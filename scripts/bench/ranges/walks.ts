// RobustMPC over byte ranges and over plain MPTCP, on real kernels, over generated walks that no setting was chosen
// on. Each takes 60 s; both carriages of a walk run at the same time. `npm run bench -- ranges-walks [--walks N]
// [--trials N] [--minutes N] [--results FILE]`. FILE stores a line for each finished session, so that the next call
// continues.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { mean, median } from '../../../src/core';
import { measureWalk } from '../../truth/measure-walk';
import type { WalkResult } from '../../truth/walk-cases';
import { readOptions, wrongOption } from '../../setup/options.mjs';

const CARRIAGES = ['ranges', 'mptcp'] as const;
type Carriage = (typeof CARRIAGES)[number];

interface Line {
  walk: number;
  trial: number;
  over: Carriage;
  /** The load average of the machine's last minute at the end of the session. */
  load: number;
  result: WalkResult;
}

const USAGE = `npm run bench -- ranges-walks [--walks N] [--trials N] [--minutes N] [--results FILE]
  --walks N        held-out walks of 60 s (default 12)
  --trials N       of each walk (default 3)
  --minutes N      ends after this time; the next call continues
  --results FILE   a line for each finished session (default .cache/bench/ranges-walks.jsonl)`;
const values = readOptions(USAGE, {
  walks: { type: 'string', default: '12' },
  trials: { type: 'string', default: '3' },
  minutes: { type: 'string', default: 'Infinity' },
  results: { type: 'string', default: '.cache/bench/ranges-walks.jsonl' },
});
const [walks, trials, minutes] = [values.walks, values.trials, values.minutes].map(Number) as [
  number,
  number,
  number,
];
if (!(walks >= 1 && trials >= 1 && minutes > 0)) {
  wrongOption('--walks and --trials from 1, --minutes above 0', USAGE);
}

const read = (): Line[] =>
  existsSync(values.results)
    ? readFileSync(values.results, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line)
    : [];

async function measure(walk: number, trial: number, over: Carriage): Promise<void> {
  const result = await measureWalk({ walk, over, set: 'validation', seed: trial });
  const line: Line = { walk, trial, over, load: loadavg()[0] ?? 0, result };
  appendFileSync(values.results, `${JSON.stringify(line)}\n`);
}

mkdirSync(path.dirname(values.results), { recursive: true });
const endMs = performance.now() + minutes * 60_000;
const known = read();
for (let trial = 1; trial <= trials; trial += 1) {
  for (let walk = 0; walk < walks && performance.now() < endMs; walk += 1) {
    const due = CARRIAGES.filter(
      (over) => !known.some((one) => one.walk === walk && one.trial === trial && one.over === over),
    );
    if (due.length === 0) continue;
    process.stderr.write(`walk ${walk}, trial ${trial}: ${due.join(' and ')}\n`);
    await Promise.all(due.map((over) => measure(walk, trial, over)));
  }
}

const lines = read();
const of = (walk: number, over: Carriage): Line[] =>
  lines.filter((line) => line.walk === walk && line.over === over);
const middle = (list: readonly Line[], value: (result: WalkResult) => number): number =>
  median(list.map(({ result }) => value(result))) ?? NaN;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

console.log(
  '| walk | trials | QoE, ranges | QoE, MPTCP | ratio | stalled, s | goodput, Mbit/s | twice, % |',
);
console.log('|---|---|---|---|---|---|---|---|');
const means: Record<Carriage, number[]> = { ranges: [], mptcp: [] };
const ratios: number[] = [];
for (let walk = 0; walk < walks; walk += 1) {
  const [ranges, mptcp] = [of(walk, 'ranges'), of(walk, 'mptcp')];
  if (ranges.length === 0 || mptcp.length === 0) continue;
  const qoe = ({ qoe: one }: WalkResult): number => one;
  const [ours, theirs] = [middle(ranges, qoe), middle(mptcp, qoe)];
  const both = (value: (result: WalkResult) => number, show: (one: number) => string): string =>
    [ranges, mptcp].map((list) => show(middle(list, value))).join(' / ');
  means.ranges.push(ours);
  means.mptcp.push(theirs);
  // A ratio to a negative value has no meaning.
  if (theirs > 0) ratios.push(ours / theirs);
  const cells = [
    walk,
    Math.min(ranges.length, mptcp.length),
    ours.toFixed(2),
    theirs.toFixed(2),
    theirs > 0 ? (ours / theirs).toFixed(2) : '-',
    both(({ stalledMs }) => stalledMs, seconds),
    both(
      ({ goodputBps }) => goodputBps / 1e6,
      (one) => one.toFixed(2),
    ),
    (100 * middle(ranges, ({ twiceShare }) => twiceShare ?? 0)).toFixed(1),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
const [ours, theirs] = [mean(means.ranges), mean(means.mptcp)];
console.log(
  `\nMean QoE ${ours?.toFixed(2)} over ranges, ${theirs?.toFixed(2)} over MPTCP: ${((ours ?? NaN) / (theirs ?? NaN)).toFixed(2)} times; the least of a walk in which MPTCP's is above 0 is ${Math.min(...ratios).toFixed(2)}.`,
);
console.log(
  `Load average at the ends of sessions: median ${(median(lines.map(({ load }) => load)) ?? NaN).toFixed(1)}.`,
);
