import { expect, test } from 'vitest';
import { chainConfig, rateChain, RETURN_LEVEL, SPECIAL_LEVELS } from './rate-chain';

const belief = {
  ...{ rateBps: 4e6, spread: 0.4, rise: 0.4, step: 0.4, failureMs: 3000 },
  ...{ failureNow: 0.3, failureLater: 0.02, othersShare: 0.5 },
  ...{ outage: 0.01, outageMs: 6000 },
};
const chain = rateChain(belief);
const size = chainConfig.levels + SPECIAL_LEVELS;
const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);

test('every distribution sums to 1, and a failure and an outage have their chances', () => {
  expect(sum(chain.now)).toBeCloseTo(1, 12);
  expect(chain.now.slice(0, SPECIAL_LEVELS)).toEqual([0.3, 0.01, 0]);
  for (let row = 0; row < size; row += 1) {
    expect(sum(chain.next.subarray(row * size, (row + 1) * size))).toBeCloseTo(1, 12);
    // A returned path that is lost again leaves the forecast without it.
    expect(chain.next[row * size]).toBeCloseTo(row === RETURN_LEVEL ? 0 : 0.02, 12);
    expect(chain.next[row * size + 1]).toBeCloseTo(0.01, 12);
  }
});

test('the levels contain the forecast, and what the other paths carry', () => {
  expect(chain.levelsBps).toContain(4e6);
  expect(chain.levelsBps[0]).toBe(2e6);
});

test('after an outage the whole rate is back', () => {
  expect(chain.levelsBps[1]).toBe(4e6);
  expect(chain.delaysMs.slice(0, SPECIAL_LEVELS + 1)).toEqual([3000, 6000, 0, 0]);
});

test('the levels above a lower bound have more probability than those below', () => {
  const chances = (now: readonly number[]): { below: number; above: number } => ({
    below: sum(now.slice(SPECIAL_LEVELS, SPECIAL_LEVELS + chainConfig.middle)),
    above: sum(now.slice(SPECIAL_LEVELS + chainConfig.middle + 1)),
  });
  const bound = chances(rateChain({ ...belief, rise: 1 }).now);
  expect(bound.above).toBeGreaterThan(1.5 * bound.below);
  expect(bound.below).toBeLessThan(chances(chain.now).below);
});

test('a level is followed by its neighbours, drawn back towards the forecast', () => {
  const row = SPECIAL_LEVELS * size;
  const low = [...chain.next.subarray(row, row + size)].slice(SPECIAL_LEVELS);
  const mean = sum(low.map((chance, level) => (chance * level) / sum(low)));
  expect(mean).toBeGreaterThan(0.5);
  expect(mean).toBeLessThan(chainConfig.middle - 1);
});

test('a lost path returns with its chance from every level, adds its rate, and stays', () => {
  const back = rateChain({ ...belief, back: { rateBps: 3e6, chance: 0.2 } });
  expect(back.levelsBps[RETURN_LEVEL]).toBe(7e6);
  expect(sum(back.now)).toBeCloseTo(1, 12);
  expect(back.now[RETURN_LEVEL]).toBeCloseTo(0.69 * 0.2, 12);
  const returns = (row: number): number => back.next[row * size + RETURN_LEVEL] ?? 0;
  for (const row of [0, 1, SPECIAL_LEVELS, size - 1]) expect(returns(row)).toBeCloseTo(0.97 * 0.2);
  expect(returns(RETURN_LEVEL)).toBeCloseTo(0.99 * 0.98);
});
