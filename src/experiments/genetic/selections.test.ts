import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core';
import { APPROACHES, pathSelection } from './approaches';
import { likestDisjointPaths, widestDisjointPaths } from './fully-disjoint';
import { geneticSelectionConfig, selectGenetically } from './genetic-selection';
import { shortestPaths, widestPaths } from './partially-disjoint';
import { viewPath, type Choice, type LinkView } from './selection';
import { switchGraph, type SwitchGraph } from './switch-graph';
import { areDisjoint, listPaths } from './switch-paths';

/** Three routes from 0 to 4: by 1, by 2, by 3; and a link between 1 and 2. */
const graph: SwitchGraph = {
  switches: 5,
  links: [
    [0, 1],
    [1, 4],
    [0, 2],
    [2, 4],
    [0, 3],
    [3, 4],
    [1, 2],
  ],
};

const link = (mbps: number, delayMs: number, change: Partial<LinkView> = {}): LinkView => ({
  rateBps: mbps * 1e6,
  delayMs,
  usedBps: 0,
  clients: 0,
  ...change,
});

/** Links of three paths and a spare one: 10 Mbit/s, 100 ms by 1; 8 Mbit/s, 20 ms by 2; 4 Mbit/s, 30 ms by 3. */
const links = [
  link(10, 50),
  link(10, 50),
  link(8, 10),
  link(8, 10),
  link(4, 15),
  link(4, 15),
  link(2, 90),
];

function choice(views: LinkView[] = links, subflows = 2): Choice {
  const paths = listPaths(graph, 0, 4).map((path) => viewPath(path, views));
  return { paths, links: views, subflows, random: createRandom(1) };
}

/** Switches on the route of each chosen path. */
function ways(chosen: readonly number[], { paths }: Choice): string[] {
  return chosen.map((at) => paths[at]?.switches.slice(1, -1).join('-') ?? '');
}

const config = { ...geneticSelectionConfig, populationSize: 28 };
const byGenes = (one: Choice, change = {}): string[] =>
  ways(selectGenetically(one, { ...config, ...change }).paths, one).sort();

describe('routes through the switches', () => {
  it('have the fewest links first, no loops, and a maximum number', () => {
    const all = listPaths(graph, 0, 4);
    expect(all.map(({ switches }) => switches.join(''))).toEqual([
      '014',
      '024',
      '034',
      '0124',
      '0214',
    ]);
    expect(listPaths(graph, 0, 4, 2)).toHaveLength(2);
    expect(listPaths(graph, 2, 2)).toEqual([{ switches: [2], links: [] }]);
    for (const { switches } of listPaths(switchGraph('jellyfish', 1), 3, 9)) {
      expect(new Set(switches).size).toBe(switches.length);
      expect([switches[0], switches.at(-1)]).toEqual([3, 9]);
    }
  });
});

describe('the approaches of the paper', () => {
  it('partially disjoint by bandwidth: the widest, sharing only wide links', () => {
    const one = choice();
    expect(ways(widestPaths(one), one)).toEqual(['1', '2']);
    // Bandwidth used by others is not available.
    const used = choice(links.map((view, i) => (i < 2 ? { ...view, usedBps: 7e6 } : view)));
    expect(ways(widestPaths(used), used)).toEqual(['2', '3']);
    // 0-1 is above the mean of all, so a second subflow may use it, via 2.
    const wide = choice(
      links.map((view, i) => (i === 6 ? link(10, 1) : view)),
      3,
    );
    expect(ways(widestPaths(wide), wide)).toEqual(['1', '2', '1-2']);
  });

  it('partially disjoint by delay: the shortest, sharing only short links', () => {
    const one = choice(links, 3);
    expect(ways(shortestPaths(one), one)).toEqual(['2', '3', '1']);
    const quick = choice(
      links.map((view, i) => (i === 0 || i === 6 ? link(1, 4) : view)),
      2,
    );
    // 0-1, 1-2, 2-4 takes 18 ms and comes first; the route by 2 shares its last link of 10 ms.
    expect(ways(shortestPaths(quick), quick)).toEqual(['1-2', '2']);
  });

  it('fully disjoint by bandwidth: the widest of those up to the average delay', () => {
    const one = choice(links, 3);
    // Delays 100, 20, 30, 150, 150: the average is 90, which excludes the route by 1 although it is widest.
    expect(ways(widestDisjointPaths(one), one)).toEqual(['2', '3']);
  });

  it('fully disjoint by delay: the largest number, with the most similar delays', () => {
    const two = choice();
    expect(ways(likestDisjointPaths(two), two)).toEqual(['2', '3']);
    const three = choice(links, 3);
    const chosen = likestDisjointPaths(three).flatMap((at) => three.paths[at] ?? []);
    expect(chosen).toHaveLength(3);
    const [a, b, c] = chosen;
    if (a && b && c)
      expect([areDisjoint(a, b), areDisjoint(b, c), areDisjoint(a, c)]).toEqual([true, true, true]);
  });

  it('genetic: bandwidth and delay difference by their weights', () => {
    expect(byGenes(choice())).toEqual(['2', '3']);
    expect(byGenes(choice(), { delayWeight: 0, bandwidthWeight: 1 })).toEqual(['1', '2']);
    expect(byGenes(choice(), { maxDelayMs: 25 })).toEqual(['2']);
  });

  it('genetic: a link with another client counts half', () => {
    const busy = links.map((view, i) => (i === 0 ? { ...view, clients: 3 } : view));
    const weights = { delayWeight: 0, bandwidthWeight: 1 };
    expect(byGenes(choice(busy), weights)).toEqual(['2', '3']);
  });

  it('genetic: no two paths over a congested link, unless more would not fit', () => {
    // The routes by 1 and by 1-2 share 0-1, and no other route is wide.
    const views = [
      link(20, 20),
      link(20, 20),
      link(1, 20),
      link(20, 20),
      link(1, 20),
      link(1, 20),
      link(20, 20),
    ];
    const weights = { delayWeight: 0, bandwidthWeight: 1 };
    expect(byGenes(choice(views), weights)).toEqual(['1', '1-2']);
    const full = views.map((view, i) => (i === 0 ? { ...view, usedBps: 15e6 } : view));
    const chosen = byGenes(choice(full), weights);
    expect(chosen.filter((way) => way.startsWith('1'))).toHaveLength(1);
  });

  it('genetic: reports its steps, at most one rating per child', () => {
    const { evaluations, fitness } = selectGenetically(choice(), config);
    expect(evaluations).toBeGreaterThan(1);
    expect(evaluations).toBeLessThanOrEqual(36);
    expect(fitness).toBeGreaterThan(0.5);
    expect(fitness).toBeLessThanOrEqual(1);
  });

  it('all choose existing paths, equal for equal seeds', () => {
    const big = switchGraph('jellyfish', 2);
    const views = big.links.map((_, i) => link(3 + (i % 7), 10 + (i % 9) * 10));
    const paths = listPaths(big, 0, 13).map((path) => viewPath(path, views));
    for (const approach of APPROACHES) {
      const select = (): number[] =>
        pathSelection(
          approach,
          'custom',
        )({ paths, links: views, subflows: 3, random: createRandom(4) });
      const chosen = select();
      expect(chosen.length).toBeGreaterThan(0);
      expect(chosen.length).toBeLessThanOrEqual(3);
      expect(chosen.every((at) => paths[at] !== undefined)).toBe(true);
      expect(select()).toEqual(chosen);
    }
  });
});
