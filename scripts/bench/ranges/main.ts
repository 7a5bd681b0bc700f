// Back-to-back segments over each network, over MPTCP and in byte ranges, in turns: `npm run bench -- ranges --help`.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { median } from '../../../src/core';
import type { Scenario } from '../../../src/scenario';
import { walkScenario } from '../chunks/load';
import { payloadBps } from '../chunks/payload';
import { oneConnection, ranges } from './carriers';
import { loadScenario } from '../chunks/load';
import { drawNetwork } from './drawn';
import { SEGMENT_BYTES, serve } from './network';
import { play, type Played } from './play';
import { readOptionsAndWords, wrongOption } from '../../setup/options.mjs';

const USAGE = `npm run bench -- ranges [SCENARIO...] [--walks FOLDER] [--drawn N] [--seed N] [--seconds N] [--trials N] [--segment BYTES]
                        [--only MODE,...] [--scheduler NAME] [--config JSON] [--json FILE] [--trace FILE]
  SCENARIO           a file, or a name in scenarios/decisions
  --walks FOLDER     pairs of traces instead: FOLDER/SEED/walk-0-wifi.json and -lte.json
  --drawn N          so many pairs of networks that nobody chose instead, drawn by seed; a segment lasts 2 s on both
  --seed N           the first of their seeds (default 1)
  --seconds N        of a trial (default 20)
  --trials N         of each scenario (default 3)
  --segment BYTES    of a segment (default ${SEGMENT_BYTES}: 2 s at 3 Mbit/s)
  --only MODE,...    of ranges, mptcp and path:ID; path stands for each path
  --scheduler NAME   another chunk scheduler than ours
  --http2            HTTP/2 over TLS; ranges only
  --config JSON      settings of the scheduler
  --json FILE        the rows for machines
  --trace FILE       each chunk of the last trial`;
const { values, words } = readOptionsAndWords(USAGE, {
  seconds: { type: 'string', default: '20' },
  trials: { type: 'string', default: '3' },
  walks: { type: 'string' },
  drawn: { type: 'string' },
  seed: { type: 'string', default: '1' },
  segment: { type: 'string' },
  json: { type: 'string' },
  trace: { type: 'string' },
  scheduler: { type: 'string' },
  config: { type: 'string', default: '{}' },
  http2: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
});
const seconds = Number(values.seconds);
const trials = Number(values.trials);
const givenBytes = values.segment === undefined ? undefined : Number(values.segment);
const drawn = Number(values.drawn ?? 1);
const firstSeed = Number(values.seed);
const counts = [seconds, trials, givenBytes ?? 1, drawn, firstSeed];
if (!counts.every((count) => count >= 1)) {
  wrongOption('--seconds, --trials, --segment, --drawn and --seed from 1', USAGE);
}

interface Measured {
  scenario: Scenario;
  segmentBytes: number;
}

function measured(): Measured[] {
  if (values.drawn !== undefined) {
    return Array.from({ length: drawn }, (_, index) => {
      const { scenario, segmentBytes } = drawNetwork(firstSeed + index);
      return { scenario, segmentBytes: givenBytes ?? segmentBytes };
    });
  }
  const segmentBytes = givenBytes ?? SEGMENT_BYTES;
  return scenarios().map((scenario) => ({ scenario, segmentBytes }));
}

function scenarios(): Scenario[] {
  const { walks } = values;
  if (walks !== undefined) {
    return readdirSync(walks).map((name) => walkScenario(path.join(walks, name), name));
  }
  const names = ['two-similar', 'two-unequal', 'two-opposite', 'three-paths'];
  return (words.length > 0 ? words : names).map((name) => {
    const file = name.endsWith('.yaml') ? name : `scenarios/decisions/${name}.yaml`;
    if (!existsSync(file)) wrongOption(`there is no scenario ${file}`, USAGE);
    return loadScenario(file);
  });
}

async function trial(
  { scenario, segmentBytes }: Measured,
  mode: string,
  seed: number,
): Promise<Played> {
  const usePaths = mode.startsWith('path:') ? [mode.slice(5)] : undefined;
  const served = await serve(scenario, {
    seed,
    segmentBytes,
    mptcp: mode === 'mptcp',
    http2: values.http2,
    ...(usePaths ? { usePaths } : {}),
  });
  const lines: string[] = [];
  const carrier =
    mode === 'ranges'
      ? await ranges({
          ...(values.scheduler === undefined ? {} : { scheduler: values.scheduler }),
          segmentBytes,
          extraCa: served.extraCa,
          config: JSON.parse(values.config) as object,
          onChunk: (chunk) => lines.push(JSON.stringify(chunk)),
        })
      : oneConnection(mode === 'mptcp');
  try {
    return await play({ carrier, url: served.url, seconds, segmentBytes });
  } finally {
    if (values.trace !== undefined) writeFileSync(values.trace, `${lines.join('\n')}\n`);
    carrier.close();
    await served.close();
  }
}

/** NaN where a mode was not measured. */
const mbit = (bps: number): string => (Number.isNaN(bps) ? '-' : (bps / 1e6).toFixed(2));
const share = (part: number, of: number | undefined): string =>
  of !== undefined && of > 0 ? (part / of).toFixed(3) : '-';
const middle = (numbers: readonly number[]): string => mbit(median(numbers) ?? NaN);
/** The median, and the lowest and highest trial. */
function spread(numbers: readonly number[], show: (one: number) => string): string {
  if (numbers.length === 0) return '-';
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map(show);
  return `${show(median(numbers) ?? 0)} (${low} to ${high})`;
}

const isOwnLength = givenBytes === undefined && values.drawn !== undefined;
const segmentText = isOwnLength ? '2 s' : `${(givenBytes ?? SEGMENT_BYTES) / 1000} kB`;
const results: object[] = [];
console.log(
  `Segments of ${segmentText} back to back, ${seconds} s, medians of ${trials}; Mbit/s\n`,
);
console.log(
  '| network | ranges | of the payload rate | of the best single | of MPTCP | wasted, % | CPU, % | MPTCP | single networks |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const one of measured()) {
  const { scenario } = one;
  const ids = scenario.topology.paths.map(({ id }) => id);
  const modes = ['ranges', 'mptcp', ...ids.map((id) => `path:${id}`)].filter((mode) =>
    values.only.split(',').some((wanted) => mode.startsWith(wanted)),
  );
  if (modes.length === 0)
    wrongOption(`--only ${values.only} is no mode of ${scenario.name}`, USAGE);
  const found = new Map<string, Played[]>(modes.map((mode) => [mode, []]));
  for (let seed = 1; seed <= trials; seed += 1) {
    for (const mode of modes) found.get(mode)?.push(await trial(one, mode, seed));
  }
  const goodputs = (mode: string): number[] =>
    (found.get(mode) ?? []).map(({ goodputBps }) => goodputBps);
  const ours = median(goodputs('ranges')) ?? 0;
  const best = Math.max(...ids.map((id) => median(goodputs(`path:${id}`)) ?? 0));
  const of = found.get('ranges') ?? [];
  const percent = (one: number): string => (100 * one).toFixed(1);
  const cells = [
    scenario.name,
    spread(goodputs('ranges'), mbit),
    share(ours, payloadBps(scenario)),
    share(ours, best),
    share(ours, median(goodputs('mptcp'))),
    spread(
      of.map(({ wastedShare }) => wastedShare),
      percent,
    ),
    percent(median(of.map(({ cpuShare }) => cpuShare)) ?? 0),
    spread(goodputs('mptcp'), mbit),
    ids.map((id) => `${id} ${middle(goodputs(`path:${id}`))}`).join(', '),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  results.push({ scenario: scenario.name, measured: Object.fromEntries(found) });
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 1));
process.exit(0);
