// A network that dies, goes dark or fades while both carry: the longest time without a byte in order, and the time
// until it is dropped. `npm run bench -- ranges-failures [--trials N]`.
import { median } from '../../../src/core';
import type { LinkEvent } from '../../../src/scenario';
import { ranges } from './carriers';
import { loadScenario } from '../chunks/load';
import { serve } from './network';
import { play } from './play';
import { readOptions } from '../../setup/options.mjs';

const USAGE = `npm run bench -- ranges-failures [--trials N]
  --trials N   of each failure (default 5)`;
const values = readOptions(USAGE, { trials: { type: 'string', default: '5' } });
/** Both networks are in use by then. */
const EVENT_MS = 5000;
const SECONDS = 10;
/** 4 and 3 Mbit/s. */
const scenario = loadScenario('scenarios/decisions/two-similar.yaml');
/** Less than one packet in 300 ms. */
const TRICKLE_BPS = 30_000;

type Failure = (link: string) => LinkEvent & { atMs: number };
const failures: Record<string, Failure> = {
  dies: (link) => ({ atMs: EVENT_MS, kind: 'link-state', link, state: 'down' }),
  'goes dark': (link) => ({ atMs: EVENT_MS, kind: 'link-state', link, state: 'blackhole' }),
  fades: (link) => ({
    atMs: EVENT_MS,
    kind: 'link-change',
    link,
    ab: { rateBps: TRICKLE_BPS },
    ba: { rateBps: TRICKLE_BPS },
  }),
};

interface Measured {
  gapMs: number;
  /** Time from the event until the list of networks no longer contains the network. */
  droppedMs: number | undefined;
}

async function trial(event: LinkEvent, pathId: string, seed: number): Promise<Measured> {
  const served = await serve(scenario, { seed, mptcp: false });
  let eventMs = Infinity;
  let droppedMs: number | undefined;
  const carrier = await ranges({
    onNetworks(networks) {
      const isThere = networks.some(({ id }) => id === pathId);
      if (!isThere) droppedMs ??= performance.now() - eventMs;
    },
  });
  const timer = setTimeout(() => {
    eventMs = performance.now();
    void served.network.apply(event);
  }, EVENT_MS);
  let lastMs = EVENT_MS;
  let gapMs = 0;
  await play({
    carrier,
    url: served.url,
    seconds: SECONDS,
    onBytes(_, atMs) {
      if (atMs > EVENT_MS) gapMs = Math.max(gapMs, atMs - lastMs);
      lastMs = Math.max(EVENT_MS, atMs);
    },
  });
  gapMs = Math.max(gapMs, SECONDS * 1000 - lastMs);
  clearTimeout(timer);
  carrier.close();
  await served.close();
  return { gapMs, droppedMs };
}

console.log('| network | longest wait for the next byte in order, ms | dropped after, ms |');
console.log('|---|---|---|');
for (const { id: pathId, via } of scenario.topology.paths) {
  for (const [name, failure] of Object.entries(failures)) {
    const found: Measured[] = [];
    for (let seed = 1; seed <= Number(values.trials); seed += 1) {
      found.push(await trial(failure(via[0] ?? ''), pathId, seed));
    }
    const gaps = found.map(({ gapMs }) => gapMs);
    const dropped = median(found.flatMap(({ droppedMs }) => droppedMs ?? []));
    const spread = `${(median(gaps) ?? 0).toFixed(0)} (up to ${Math.max(...gaps).toFixed(0)})`;
    console.log(`| ${pathId} ${name} | ${spread} | ${dropped?.toFixed(0) ?? '-'} |`);
  }
}
process.exit(0);
