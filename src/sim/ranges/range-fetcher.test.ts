import { describe, expect, it } from 'vitest';
import { createChunkScheduler } from '../../chunks';
import { expandTopology, type TimelineEvent } from '../../scenario';
import { Cubic } from '../congestion/cubic';
import { Simulation } from '../engine/simulation';
import { SimNetwork } from '../network/sim-network';
import { RangeFetcher } from './range-fetcher';

const OBJECT_BYTES = 750_000;
const queue = { discipline: 'droptail' as const };

interface Fetch {
  simulation: Simulation;
  fetcher: RangeFetcher;
  /** Time of completion of each object. */
  doneMs: number[];
}

/** Wi-Fi of 4 Mbit/s and LTE of 2. */
function fetcherOver(events: TimelineEvent[] = []): Omit<Fetch, 'doneMs'> {
  const simulation = new Simulation(1);
  const link = (rateBps: number, delayMs: number) => {
    const direction = { rateBps, delayMs, queue, queueBytes: 60_000 };
    return { down: direction, up: direction };
  };
  const paths = [
    { id: 'wifi', ...link(4e6, 10) },
    { id: 'lte', ...link(2e6, 40) },
  ];
  const network = new SimNetwork(simulation, expandTopology({ kind: 'multihomed', paths }));
  const first = network.paths[0]?.via[0] ?? '';
  network.follow(events.map((event) => ({ ...event, link: first })));
  const fetcher = new RangeFetcher(simulation, {
    networks: network.paths,
    scheduler: createChunkScheduler(),
    createCongestion: () => new Cubic(),
    flow: 1,
  });
  network.onCarrier((_, isUp) => fetcher.setUp('wifi', isUp));
  return { simulation, fetcher };
}

/** Objects back to back, the next one announced. */
function fetchOver(events: TimelineEvent[] = []): Fetch {
  const { simulation, fetcher } = fetcherOver(events);
  const doneMs: number[] = [];
  const next = (): void => {
    fetcher.fetch(OBJECT_BYTES, undefined, () => {
      doneMs.push(simulation.nowNs / 1e6);
      next();
    });
  };
  next();
  next();
  return { simulation, fetcher, doneMs };
}

const state = (atMs: number, is: 'up' | 'down' | 'blackhole'): TimelineEvent => ({
  kind: 'link-state',
  link: '',
  state: is,
  atMs,
});

describe('RangeFetcher', () => {
  it('carries at least 0.95 of what both links have for payload', () => {
    const { simulation, fetcher } = fetchOver();
    simulation.run(30e9);
    const useful = (fetcher.receivedBytes - fetcher.duplicateBytes) * 8;
    expect(useful / 30).toBeGreaterThan(0.95 * 6e6 * (1448 / 1500));
    expect(fetcher.duplicateBytes / fetcher.receivedBytes).toBeLessThan(0.03);
  });

  it.each(['down', 'blackhole'] as const)(
    'goes on over the other network within half a second if one goes %s, and uses it again',
    (gone) => {
      const { simulation, fetcher } = fetchOver([state(10_000, gone), state(15_000, 'up')]);
      simulation.run(10e9);
      let last = fetcher.orderedBytes;
      let gapMs = 0;
      let longestMs = 0;
      for (let atMs = 10_050; atMs <= 15_000; atMs += 50) {
        simulation.run(atMs * 1e6);
        gapMs = fetcher.orderedBytes > last ? 0 : gapMs + 50;
        longestMs = Math.max(longestMs, gapMs);
        last = fetcher.orderedBytes;
      }
      expect(longestMs).toBeLessThanOrEqual(500);
      const before = fetcher.bytesOf('wifi');
      simulation.run(20e9);
      expect(fetcher.bytesOf('wifi') - before).toBeGreaterThan(1e6);
    },
  );

  it('fetches in the order of need, announced objects last', () => {
    const { simulation, fetcher } = fetcherOver();
    const done: string[] = [];
    const fetch = (name: string, neededAtMs: number): void => {
      fetcher.fetch(OBJECT_BYTES, neededAtMs, () => done.push(name));
    };
    const early = fetcher.fetch(OBJECT_BYTES, 1000);
    fetch('later', 9000);
    fetch('sooner', 4000);
    simulation.run(1.5e9);
    fetcher.read(early, () => done.push('announced'));
    simulation.run(20e9);
    expect(done).toEqual(['sooner', 'announced', 'later']);
  });

  it('ends with every byte once in place, whatever came twice', () => {
    const { simulation, fetcher, doneMs } = fetchOver([
      state(3000, 'blackhole'),
      state(6000, 'up'),
    ]);
    simulation.run(20e9);
    expect(fetcher.completeBytes).toBe(doneMs.length * OBJECT_BYTES);
    expect(fetcher.orderedBytes).toBeLessThanOrEqual(
      fetcher.receivedBytes - fetcher.duplicateBytes,
    );
  });
});
