import { describe, expect, test } from 'vitest';
import { createRandom } from '../../core';
import {
  correlation,
  defaultSharedBottleneckConfig as config,
  noSharedBottleneck,
  observeSharedBottlenecks,
} from './shared-bottleneck';
import { fluidQueues } from '../testing/fluid-queues';
import { path } from '../testing/observations';

function pairsAfter(shared: boolean, steps: number, seed = 1, queueMs = 100, segment = Infinity) {
  const queues = fluidQueues(shared, seed, queueMs, segment);
  let memory = noSharedBottleneck;
  for (let step = 0; step < steps; step += 1) {
    memory = observeSharedBottlenecks(memory, queues(step), step * 100, config);
  }
  return memory;
}

describe('shared bottleneck', () => {
  test.each([
    ['one long download', Infinity],
    ['segments of 2 s with pauses, where all queues fill and drain together', 20],
  ])('two flows in one queue are found, two queues are not: %s', (_, segment) => {
    let found = 0;
    let wrong = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      found += pairsAfter(true, 300, seed, 100, segment).pairs.length;
      wrong += pairsAfter(false, 300, seed, 100, segment).pairs.length;
    }
    expect(found).toBeGreaterThanOrEqual(11);
    expect(wrong).toBeLessThanOrEqual(1);
  });

  test.each([
    ['compete', 1],
    ['follow the capacity together', -1],
    ['have nothing to do with each other', 0],
  ])('delays that rise together count only with rates that are related: rates %s', (_, kind) => {
    const random = createRandom(4);
    let memory = noSharedBottleneck;
    for (let step = 0; step < 80; step += 1) {
      const [queueMs, one, other] = [100 * random(), 4e6 * random(), 4e6 * random()];
      const related = kind > 0 ? 4e6 - one : one;
      const paths = [
        path('a', one, { rcvRttMs: 20 + queueMs }),
        path('b', kind === 0 ? other : related, { rcvRttMs: 40 + queueMs }),
      ];
      memory = observeSharedBottlenecks(memory, paths, step * 100, config);
    }
    expect(memory.pairs).toHaveLength(kind === 0 ? 0 : 1);
  });

  test('a shared link with a negligible queue is not congested', () => {
    expect(pairsAfter(true, 300, 1, 3).pairs).toEqual([]);
  });

  test('the first half second of a download proves nothing', () => {
    const first = (steps: number) => pairsAfter(true, steps).rows.length;
    expect([first(5), first(6), first(15)]).toEqual([0, 1, 10]);
  });

  test('a verdict is kept while the paths are apart, then forgotten', () => {
    const memory = pairsAfter(true, 300);
    const [own] = memory.pairs;
    expect(own).toMatchObject({ a: 'a', b: 'b' });
    const untilMs = own?.untilMs ?? NaN;
    expect(untilMs).toBeGreaterThan(config.verdictMs);
    const apart = fluidQueues(true, 1, 100)(0).slice(0, 1);
    const soon = observeSharedBottlenecks(memory, apart, untilMs - 100, config);
    expect(soon.pairs).toHaveLength(1);
    const late = observeSharedBottlenecks(soon, apart, untilMs, config);
    expect(late.pairs).toEqual([]);
  });

  test('correlation is 1 for equal, -1 for opposite series, 0 for a constant one', () => {
    const random = createRandom(5);
    const values = Array.from({ length: 30 }, () => random() * 1e7);
    expect(correlation(values.map((x) => [x, 3 * x + 2]))).toBeCloseTo(1);
    expect(correlation(values.map((x) => [x, -x]))).toBeCloseTo(-1);
    expect(correlation(values.map((x) => [x, 7]))).toBe(0);
    expect(correlation([])).toBe(0);
  });
});
