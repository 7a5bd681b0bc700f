import { expect, test } from 'vitest';
import { chainConfig, rateChain } from './rate-chain';

const belief = {
  ...{ rateBps: 4e6, spread: 0.4, rise: 0.4, step: 0.4, failureMs: 3000 },
  ...{ failureNow: 0.3, failureLater: 0.02, othersShare: 0.5 },
};
const chain = rateChain(belief);
const size = chainConfig.levels + 1;
const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);

test('every distribution sums to 1, and a failure has its chance', () => {
  expect(sum(chain.now)).toBeCloseTo(1, 12);
  expect(chain.now[0]).toBe(0.3);
  for (let row = 0; row < size; row += 1) {
    expect(sum(chain.next.subarray(row * size, (row + 1) * size))).toBeCloseTo(1, 12);
    expect(chain.next[row * size]).toBeCloseTo(0.02, 12);
  }
});

test('the levels contain the forecast, and what the other paths carry', () => {
  expect(chain.levelsBps).toContain(4e6);
  expect(chain.levelsBps[0]).toBe(2e6);
});

test('the levels above a lower bound have more probability than those below', () => {
  const chances = (now: readonly number[]): { below: number; above: number } => ({
    below: sum(now.slice(1, chainConfig.middle + 1)),
    above: sum(now.slice(chainConfig.middle + 2)),
  });
  const bound = chances(rateChain({ ...belief, rise: 1 }).now);
  expect(bound.above).toBeGreaterThan(1.5 * bound.below);
  expect(bound.below).toBeLessThan(chances(chain.now).below);
});

test('a level is followed by its neighbours, drawn back towards the forecast', () => {
  const low = [...chain.next.subarray(size, 2 * size)].slice(1);
  const mean = sum(low.map((chance, level) => (chance * level) / sum(low)));
  expect(mean).toBeGreaterThan(0.5);
  expect(mean).toBeLessThan(chainConfig.middle - 1);
});
