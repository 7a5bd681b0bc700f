// Goodput of back-to-back segments over byte ranges, simulated, for every shipped scenario with a network of
// its own a path. Compared with the sum of the links' payload rates, plain MPTCP and the best single network.
// Usage: node --import tsx scripts/bench/chunks.ts [--json] [--seconds N] [--only NAME,...] [--scheduler NAME] [--walks FOLDER]
//   --walks FOLDER   also pairs of traces, FOLDER/SEED/walk-0-wifi.json and -lte.json, for 60 s each
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mean } from '../../src/core';
import type { Scenario } from '../../src/scenario';
import { fetchMptcp, fetchRanges, type Fetched } from './chunks/fetch';
import { loadScenario, walkScenario } from './chunks/load';
import { payloadBps } from './chunks/payload';
import { readOptions, wrongOption } from '../setup/options.mjs';

/** Target figures. The sum is required only if the rate of every link is constant. */
const goal = {
  sumShare: 0.95,
  sumOf: ['two-similar', 'two-unequal', 'two-opposite', 'three-paths'],
  bestShare: 0.97,
  mptcpShare: 1,
  steadyDuplicates: 0.03,
  walkDuplicates: 0.08,
} as const;

const USAGE = `npm run bench -- chunks [--json] [--seconds N] [--only NAME,...] [--scheduler NAME] [--walks FOLDER]
  --seconds N        of each scenario (default 40)
  --only NAME,...    these scenarios
  --scheduler NAME   another chunk scheduler than ours
  --walks FOLDER     also pairs of traces, FOLDER/SEED/walk-0-wifi.json and -lte.json, for 60 s each
  --json             the rows for machines`;
const values = readOptions(USAGE, {
  json: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '40' },
  only: { type: 'string' },
  scheduler: { type: 'string' },
  walks: { type: 'string' },
});
const seconds = Number(values.seconds);
if (!(seconds >= 1)) {
  wrongOption('--seconds from 1', USAGE);
}

interface Row {
  scenario: string;
  ranges: Fetched;
  mptcp: Fetched;
  bestBps: number;
  /** Share of the links' payload rates; undefined if they change. */
  sumShare: number | undefined;
  missed: string[];
}

function measure(scenario: Scenario, isWalk: boolean): Row {
  const options = { scenario, seconds: isWalk ? 60 : seconds, seed: scenario.seed };
  const ids = scenario.topology.paths.map(({ id }) => id);
  const ranges = fetchRanges({
    ...options,
    ...(values.scheduler === undefined ? {} : { scheduler: values.scheduler }),
  });
  const mptcp = fetchMptcp(options);
  const bestBps = Math.max(...ids.map((id) => fetchMptcp({ ...options, paths: [id] }).goodputBps));
  const sumBps = payloadBps(scenario);
  const sumShare = sumBps === undefined ? undefined : ranges.goodputBps / sumBps;
  const isAsked = (goal.sumOf as readonly string[]).includes(scenario.name);
  const most = isWalk ? goal.walkDuplicates : goal.steadyDuplicates;
  const missed = [
    ...(isAsked && (sumShare ?? 0) < goal.sumShare ? ['sum'] : []),
    ...(ranges.goodputBps < goal.bestShare * bestBps ? ['best single'] : []),
    ...(ranges.goodputBps < goal.mptcpShare * mptcp.goodputBps ? ['MPTCP'] : []),
    ...(ranges.duplicateShare > most ? ['duplicates'] : []),
  ];
  return { scenario: scenario.name, ranges, mptcp, bestBps, sumShare, missed };
}

function shippedScenarios(): Scenario[] {
  const root = fileURLToPath(new URL('../../scenarios/', import.meta.url));
  const files = ['', 'decisions'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => path.join(root, folder, name)),
  );
  const only = values.only?.split(',');
  return files.map(loadScenario).filter(({ name }) => only === undefined || only.includes(name));
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const mbit = (bps: number): string => (bps / 1e6).toFixed(2).padStart(8);
const share = (value: number | undefined): string => (value?.toFixed(3) ?? '').padStart(8);

function show({ scenario, ranges, mptcp, bestBps, sumShare, missed }: Row): void {
  const cells = [
    mbit(ranges.goodputBps),
    share(sumShare),
    share(ranges.goodputBps / mptcp.goodputBps),
    share(ranges.goodputBps / bestBps),
    (100 * ranges.duplicateShare).toFixed(1).padStart(6),
    (100 * ranges.wastedShare).toFixed(1).padStart(6),
    String(ranges.longestGapMs).padStart(7),
    String(mptcp.longestGapMs).padStart(7),
  ];
  write(
    `${scenario.padEnd(22)}${cells.join(' ')}  ${missed.length > 0 ? `missed: ${missed.join(', ')}` : ''}`,
  );
}

const walks =
  values.walks === undefined ? [] : readdirSync(values.walks).sort((a, b) => Number(a) - Number(b));
if (!values.json) {
  write('simulated            Mbit/s  of sum  /MPTCP   /best  twice% waste%  gap ms  (MPTCP)');
}
const rows: Row[] = [];
for (const scenario of shippedScenarios()) {
  const row = measure(scenario, false);
  rows.push(row);
  if (!values.json) show(row);
}
for (const seed of walks) {
  const row = measure(walkScenario(path.join(values.walks ?? '', seed), seed), true);
  rows.push(row);
  if (!values.json) show(row);
}
if (values.json) write(JSON.stringify({ seconds, goal, rows }, null, 2));
else {
  const ratio = mean(rows.map(({ ranges, mptcp }) => ranges.goodputBps / mptcp.goodputBps));
  const missed = rows.filter((row) => row.missed.length > 0).length;
  write(
    `${rows.length} networks: ${(ratio ?? 0).toFixed(2)} times plain MPTCP on average; goals missed in ${missed}`,
  );
}
