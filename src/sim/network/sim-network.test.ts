import { expect, it } from 'vitest';
import { expandTopology, type TimelineEvent } from '../../scenario';
import { Simulation } from '../engine/simulation';
import { SimNetwork } from './sim-network';

const direction = { delayMs: 10, queue: { discipline: 'droptail' as const } };

/** Listener calls while a link is in each state for 100 ms. */
function reported(states: readonly ('up' | 'down' | 'blackhole')[]): string[] {
  const simulation = new Simulation(1);
  const ids = ['wifi', 'lte'];
  const paths = ids.map((id) => ({ id, down: direction, up: direction }));
  const topology = expandTopology({ kind: 'multihomed', paths });
  const network = new SimNetwork(simulation, topology);
  const news: string[] = [];
  network.onCarrier((link, isUp) => {
    news.push(`${link} ${isUp ? 'up' : 'down'} at ${simulation.nowNs / 1e6} ms`);
  });
  const link = network.paths[0]?.via[0] ?? '';
  network.follow(
    states.map((state, index): TimelineEvent => ({
      kind: 'link-state',
      link,
      state,
      atMs: 100 * (index + 1),
    })),
  );
  simulation.run(10e9);
  return news.map((one) => one.replace(link, 'it'));
}

it('reports loss and return of a carrier, once each', () => {
  expect(reported(['down', 'down', 'up', 'up'])).toEqual(['it down at 100 ms', 'it up at 300 ms']);
});

it('keeps the carrier in a blackhole, and reports nothing at its end', () => {
  expect(reported(['blackhole', 'up'])).toEqual([]);
  expect(reported(['down', 'blackhole', 'up'])).toEqual(['it down at 100 ms', 'it up at 200 ms']);
  expect(reported(['blackhole', 'down', 'up'])).toEqual(['it down at 200 ms', 'it up at 300 ms']);
});
