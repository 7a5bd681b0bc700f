#!/usr/bin/env node
// Latency of a path decision, from the request to its effect on traffic, on two emulated 20 Mbit/s paths in a
// sandbox of its own.
// Usage: node scripts/bench/path-control.mjs [--json] [--rounds N]     (needs root)
import { execFileSync } from 'node:child_process';
import { release } from 'node:os';
import { readOptions, wrongOption } from '../setup/options.mjs';

const USAGE = `npm run bench -- path-control [--json] [--rounds N]
  --rounds N   decisions, 1 to 1000 (default 10)
  --json       the rows for machines`;
const options = readOptions(USAGE, {
  json: { type: 'boolean' },
  rounds: { type: 'string', default: '10' },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1000) {
  wrongOption('--rounds must be a whole number from 1 to 1000', USAGE);
}
const out = execFileSync(
  'unshare',
  [
    ...['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--'],
    ...[process.execPath, '--import', 'tsx'],
    ...['src/path-control/testing/path-control-bench.ts', String(rounds)],
  ],
  { stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 24 },
);
const byName = new Map();
for (const line of out.toString().trim().split('\n')) {
  const { name, ms } = JSON.parse(line);
  byName.set(name, [...(byName.get(name) ?? []), ms]);
}
const results = [...byName].map(([name, all]) => {
  const sorted = all.sort((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return { name, medianMs: at(0.5), minMs: at(0), maxMs: at(1), count: sorted.length };
});
if (options.json) {
  console.log(JSON.stringify({ kernel: release(), node: process.version, results }, undefined, 2));
} else {
  console.log(`Linux ${release()}, Node ${process.version}; milliseconds: median (least to most)`);
  for (const { name, medianMs, minMs, maxMs, count } of results) {
    const figures = `${medianMs.toFixed(1)} (${minMs.toFixed(1)} to ${maxMs.toFixed(1)})`;
    console.log(`  ${name.padEnd(62)} ${figures} of ${count}`);
  }
}
