import { describe, expect, test } from 'vitest';
import { geneticPolicy } from './genetic';
import { fluidQueues } from '../testing/fluid-queues';
import { path, PolicyDriver } from '../testing/observations';

const pair = (local: string, remote: string, rateBps: number, rcvRttMs: number) =>
  path(`${local}>${remote}`, rateBps, { localAddress: local, remoteAddress: remote, rcvRttMs });

function chosen(paths: ReturnType<typeof path>[], config = {}): string[] {
  return new PolicyDriver(geneticPolicy, config).step(paths);
}

describe('genetic', () => {
  test('all of equal paths, the good one of unequal ones', () => {
    const far = path('lte', 3e6, { rcvRttMs: 80 });
    expect(chosen([path('wifi', 4e6, { rcvRttMs: 40 }), far])).toEqual(['wifi', 'lte']);
    const bad = path('lte', 0.6e6, { rcvRttMs: 300 });
    expect(chosen([path('wifi', 5e6, { rcvRttMs: 20 }), bad])).toEqual(['wifi']);
    // The same bad path pays if delay differences have no weight.
    const weights = { delayWeight: 0, bandwidthWeight: 1 };
    expect(chosen([path('wifi', 5e6, { rcvRttMs: 20 }), bad], weights)).toHaveLength(2);
  });

  test('chooses one server address for each local one, so that the delays match', () => {
    const paths = [
      pair('wifi', 'x', 4e6, 40),
      pair('wifi', 'y', 4e6, 200),
      pair('lte', 'x', 3e6, 210),
      pair('lte', 'y', 3e6, 390),
    ];
    expect(chosen(paths)).toEqual(['wifi>y', 'lte>x']);
  });

  test('finds the result of an exhaustive search', () => {
    const locals = ['a', 'b', 'c', 'd'];
    const remotes = ['x', 'y', 'z'];
    const paths = locals.flatMap((local, i) =>
      remotes.map((remote, j) =>
        pair(local, remote, 1e6 * (1 + ((i * 7 + j * 5) % 6)), 20 + ((i * 53 + j * 97) % 240)),
      ),
    );
    const sets = locals.reduce<string[][]>(
      (all, local) =>
        all.flatMap((set) => [set, ...remotes.map((remote) => [...set, `${local}>${remote}`])]),
      [[]],
    );
    const worth = (set: string[]): number => {
      const members = paths.filter(({ pathId }) => set.includes(pathId));
      if (members.length === 0) return 0;
      let difference = 0;
      for (const one of members) {
        for (const two of members) {
          const apartMs = Math.abs((one.rcvRttMs ?? 0) - (two.rcvRttMs ?? 0)) / 2;
          difference += Math.min(1, apartMs / 100) / 2;
        }
      }
      const most = locals.map((local) =>
        Math.max(
          ...paths
            .filter(({ localAddress }) => localAddress === local)
            .map(({ rateBps }) => rateBps),
        ),
      );
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      return (
        0.5 * (1 - difference / 6) + 0.5 * (sum(members.map(({ rateBps }) => rateBps)) / sum(most))
      );
    };
    const best = Math.max(...sets.map(worth));
    for (let seed = 0; seed < 10; seed += 1) {
      expect(worth(chosen(paths, { seed }))).toBeGreaterThan(best - 0.02);
    }
  });

  test('never two paths that share a congested link; separate ones stay', () => {
    const shared = fluidQueues(true, 1, 100);
    const driver = new PolicyDriver(geneticPolicy);
    expect(driver.run(10, shared)).toEqual(['a', 'b']);
    expect(driver.run(60, shared)).toHaveLength(1);
    expect(driver.reason).toMatch(/(a meets b|b meets a) in a congested link/);
    const own = new PolicyDriver(geneticPolicy);
    expect(own.run(80, fluidQueues(false, 1, 100))).toEqual(['a', 'b']);
  });

  test('leaves out too distant paths, unless all are', () => {
    const moon = path('moon', 9e6, { rcvRttMs: 2600 });
    expect(chosen([path('wifi', 1e6), moon])).toEqual(['wifi']);
    expect(chosen([moon])).toEqual(['moon']);
  });

  test('tries an unmeasured network, not an unmeasured pair of a measured one', () => {
    const untried = {
      confidence: 0,
      safeRateBps: 0,
      throughputBps: undefined,
      rcvRttMs: undefined,
    };
    const lte = path('lte', 0, { ...untried, state: 'closed' });
    const other = path('other', 0, { ...untried, state: 'closed', localAddress: 'addr-wifi' });
    expect(chosen([path('wifi', 4e6), other, lte])).toEqual(['wifi', 'lte']);
  });

  test('searches again for a large change, not for a small one, and at once for a lost path', () => {
    const driver = new PolicyDriver(geneticPolicy);
    const wifi = path('wifi', 5e6, { rcvRttMs: 20 });
    driver.run(40, [wifi, path('lte', 3e6, { rcvRttMs: 40 })]);
    const searches = () => driver.last?.state.memory.searches;
    expect(searches()).toBe(1);
    driver.run(40, [wifi, path('lte', 2.5e6, { rcvRttMs: 50 })]);
    expect(searches()).toBe(1);
    expect(driver.run(40, [wifi, path('lte', 0.5e6, { rcvRttMs: 300 })])).toEqual(['wifi']);
    expect(searches()).toBe(2);
    const lost = { ...wifi, state: 'lost' as const };
    expect(driver.step([lost, path('lte', 0.5e6, { rcvRttMs: 300 })])).toEqual(['lte']);
  });
});
