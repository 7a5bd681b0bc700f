import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlayerSpec } from '../../scenario';
import { planTrials } from './plan';

const players = (ids: readonly string[]): PlayerSpec[] => ids.map((id) => ({ id }) as PlayerSpec);

describe('planTrials', () => {
  it('alternates the players, each trial with another first one, on the same seed', () => {
    const plan = planTrials({ players: players(['a', 'b', 'c']), trials: 2, seed: 7 });
    expect(plan.map(({ player }) => player).join('')).toBe('abcbca');
    expect(plan.map(({ seed }) => seed)).toEqual([7, 7, 7, 8, 8, 8]);
    expect(plan[4]).toEqual({ number: 5, player: 'c', trial: 2, seed: 8, folder: 'trials/5-c' });
  });

  it('plays every player once in every trial, in folders of their own', () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 15 }), (names, trials) => {
        const plan = planTrials({ players: players(names), trials, seed: 1 });
        expect(plan.map(({ number }) => number)).toEqual(plan.map((_, index) => index + 1));
        expect(new Set(plan.map(({ folder }) => folder)).size).toBe(names.length * trials);
        for (let trial = 1; trial <= trials; trial += 1) {
          const turn = plan.filter((entry) => entry.trial === trial).map(({ player }) => player);
          expect([...turn].sort()).toEqual([...names].sort());
        }
      }),
    );
  });
});
