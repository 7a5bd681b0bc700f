import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core';
import {
  busiestSwitch,
  isConnected,
  jellyfish,
  neighbours,
  switchGraph,
  TOPOLOGY_NAMES,
  type SwitchGraph,
} from './switch-graph';

const degrees = (graph: SwitchGraph): number[] =>
  Array.from({ length: graph.switches }, (_, at) => neighbours(graph, at).length);

describe('topologies', () => {
  it.each([
    ['compuserve', 11, 14],
    ['custom', 12, 19],
    ['jellyfish', 20, 40],
  ] as const)('%s has %i switches and %i links, simple and connected', (name, switches, links) => {
    const graph = switchGraph(name, 3);
    expect([graph.switches, graph.links.length]).toEqual([switches, links]);
    expect(isConnected(graph)).toBe(true);
    const ends = graph.links.map(([a, b]) => [Math.min(a, b), Math.max(a, b)].join());
    expect(new Set(ends).size).toBe(links);
    expect(graph.links.every(([a, b]) => a !== b && a < switches && b < switches)).toBe(true);
  });

  it('draws every Jellyfish regular and connected, another one for another seed', () => {
    const drawn = Array.from({ length: 40 }, (_, seed) => switchGraph('jellyfish', seed));
    for (const graph of drawn) {
      expect(new Set(degrees(graph))).toEqual(new Set([4]));
      expect(isConnected(graph)).toBe(true);
    }
    expect(new Set(drawn.map(({ links }) => JSON.stringify(links))).size).toBe(40);
    expect(switchGraph('jellyfish', 7)).toEqual(drawn[7]);
    // The smallest possible graph: fully connected.
    expect(jellyfish(5, 4, createRandom(1)).links).toHaveLength(10);
  });

  it('finds the switch with the most links: Columbus', () => {
    expect(busiestSwitch(switchGraph('compuserve', 1))).toBe(6);
    for (const name of TOPOLOGY_NAMES) {
      const all = degrees(switchGraph(name, 1));
      expect(all[busiestSwitch(switchGraph(name, 1))]).toBe(Math.max(...all));
    }
  });

  it('recognises a disconnected graph', () => {
    expect(isConnected({ switches: 3, links: [[0, 1]] })).toBe(false);
  });
});
