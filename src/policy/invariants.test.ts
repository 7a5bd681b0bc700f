import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPolicy, policies } from './registry';
import type { PathObservation } from './observation';
import { anyObservations, observation, path, steadyObservations } from './testing/observations';

const traces = fc.oneof(anyObservations, steadyObservations);
/** Short windows, so that short traces reach every branch. */
const quick: Record<string, object> = {
  'path-use-decision': { n: 4, retryMs: 1000, retrySamples: 2 },
  'single-best': { holdMs: 200, learnMs: 300 },
  'sticky-greedy': { minMeasuredMs: 200, forgetMs: 1000 },
  'sticky-throughput': { minMeasuredMs: 200, forgetMs: 1000 },
  'sticky-throughput-rtt': { minMeasuredMs: 200, forgetMs: 1000 },
  genetic: { minSamples: 3, rampMs: 0, minIntervalMs: 200, populationSize: 8, generations: 4 },
  metered: { budgetBytes: 5e6 },
};

function decisions(name: string, observations: readonly PathObservation[], viaJson: boolean) {
  const policy = createPolicy(name, quick[name]);
  let state = policy.initial();
  return observations.map((seen) => {
    const decision = policy.decide(state, seen);
    state = viaJson ? (JSON.parse(JSON.stringify(decision.state)) as object) : decision.state;
    return { desired: [...decision.desired], reason: decision.reason, state: decision.state };
  });
}

describe.each(policies.map(({ name }) => name))('policy %s', (name) => {
  test('leaves the stream a path, names every known path and no other, in one line', () => {
    fc.assert(
      fc.property(traces, (observations) => {
        for (const [index, { desired, reason }] of decisions(name, observations, false).entries()) {
          const paths = observations[index]?.paths ?? [];
          const ids = new Set(paths.map(({ pathId }) => pathId));
          expect(new Set(desired.map(([pathId]) => pathId))).toEqual(ids);
          expect(reason).toMatch(/^[^\n\r]{3,300}$/);
          expect(reason).not.toMatch(/NaN|undefined|Infinity|\[object/);
          const first = new Map([...paths].reverse().map((one) => [one.pathId, one.state]));
          const alive = [...first].filter(([, state]) => state === 'active' || state === 'backup');
          if (alive.length === 0) continue;
          const active = desired.filter(([, wanted]) => wanted === 'active').map(([id]) => id);
          expect(alive.some(([id]) => active.includes(id))).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('decides the same again, also from a serialized state', () => {
    fc.assert(
      fc.property(traces, (observations) => {
        const once = decisions(name, observations, false);
        expect(decisions(name, observations, false)).toEqual(once);
        const read = decisions(name, observations, true);
        const visible = ({ desired, reason }: (typeof once)[number]) => ({ desired, reason });
        expect(read.map(visible)).toEqual(once.map(visible));
        for (const { state } of once) {
          expect(JSON.parse(JSON.stringify(state))).toStrictEqual(withoutMinusZero(state));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('changes neither the state nor the observation', () => {
    const policy = createPolicy(name, quick[name]);
    let state = policy.initial();
    for (let index = 0; index < 30; index += 1) {
      const seen = observation(index * 100, [path('wifi', 4e6), path('lte', index * 1e5)]);
      const before = JSON.stringify([state, seen]);
      const decision = policy.decide(state, seen);
      expect(JSON.stringify([state, seen])).toBe(before);
      state = decision.state;
    }
  });

  test('does not depend on the order of the paths', () => {
    const policy = createPolicy(name, quick[name]);
    const run = (order: (list: string[]) => string[]) => {
      let state = policy.initial();
      return Array.from({ length: 40 }, (_, index) => {
        const all = {
          wifi: path('wifi', 4e6 - index * 9e4, { rcvRttMs: 20 }),
          lte: path('lte', 3e6, { rcvRttMs: 60, metered: true }),
          eth0: path('eth0', 1e6, { rcvRttMs: 30 }),
        };
        const paths = order(Object.keys(all)).map((id) => all[id as keyof typeof all]);
        const decision = policy.decide(state, observation(index * 100, paths));
        state = decision.state;
        return [...decision.desired].sort().map(String);
      });
    };
    expect(run((list) => list.reverse())).toEqual(run((list) => list));
  });

  test('opens the first path that appears when none is alive', () => {
    const policy = createPolicy(name);
    const paths = [path('wifi', 0, { state: 'lost' }), path('lte', 0, { state: 'closed' })];
    const { desired, reason } = policy.decide(policy.initial(), observation(0, paths));
    expect(desired).toEqual(new Map(paths.map(({ pathId }) => [pathId, 'active'])));
    expect(reason).toContain('no network is alive');
  });
});

/** JSON has no -0, and no decision depends on it. */
function withoutMinusZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withoutMinusZero(one)]),
  );
}
