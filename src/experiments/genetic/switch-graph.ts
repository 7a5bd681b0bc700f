import { createRandom, type Random } from '../../core';

/** Switches, numbered from 0, and links between two of them. */
export interface SwitchGraph {
  switches: number;
  /** No link twice, none from a switch to itself. */
  links: readonly (readonly [number, number])[];
}

export const TOPOLOGY_NAMES = ['compuserve', 'custom', 'jellyfish'] as const;
export type TopologyName = (typeof TOPOLOGY_NAMES)[number];

/** Titles of the paper's figures. */
export const TOPOLOGY_TITLES: Readonly<Record<TopologyName, string>> = {
  compuserve: 'CompuServe',
  custom: 'Custom',
  jellyfish: 'Jellyfish',
};

/**
 * CompuServe of the Internet Topology Zoo (Knight et al., 2011) without its three nodes outside: Seattle, San Francisco,
 * Los Angeles, Dallas, Houston, Atlanta, Columbus, Chicago, Boston, New York, Washington.
 */
const compuServe: SwitchGraph = {
  switches: 11,
  links: [
    [0, 1],
    [0, 7],
    [1, 2],
    [1, 6],
    [2, 3],
    [3, 4],
    [3, 6],
    [4, 5],
    [5, 10],
    [6, 7],
    [6, 10],
    [7, 8],
    [8, 9],
    [9, 10],
  ],
};

/**
 * 12 switches and 19 links: the paper states no more of the custom topology (section IV-A), and its figure is
 * in a paper that is not available. Ours has four columns of three, each switch linked to its neighbours, and
 * two diagonal links.
 */
const custom: SwitchGraph = {
  switches: 12,
  links: [
    [0, 3],
    [3, 6],
    [6, 9],
    [1, 4],
    [4, 7],
    [7, 10],
    [2, 5],
    [5, 8],
    [8, 11],
    [0, 1],
    [1, 2],
    [3, 4],
    [4, 5],
    [6, 7],
    [7, 8],
    [9, 10],
    [10, 11],
    [1, 5],
    [4, 8],
  ],
};

/** Size of the random graph: switches, and links of each one to others. */
const JELLYFISH_SWITCHES = 20;
const JELLYFISH_DEGREE = 4;

/** @param seed of Jellyfish; the others are constant */
export function switchGraph(name: TopologyName, seed: number): SwitchGraph {
  if (name === 'compuserve') return compuServe;
  if (name === 'custom') return custom;
  return jellyfish(JELLYFISH_SWITCHES, JELLYFISH_DEGREE, createRandom(seed));
}

/**
 * Jellyfish (Singla et al., NSDI 2012, section 3): links join random switches with free ports and no common
 * link. If none are left and a switch has two free ports, one link is replaced by two. The graph is drawn
 * again until it is regular and connected.
 */
export function jellyfish(switches: number, degree: number, random: Random): SwitchGraph {
  for (;;) {
    const links = drawRegular(switches, degree, random);
    const graph = { switches, links };
    if (links.length === (switches * degree) / 2 && isConnected(graph)) return graph;
  }
}

function drawRegular(switches: number, degree: number, random: Random): [number, number][] {
  const links: [number, number][] = [];
  const free = Array.from({ length: switches }, () => degree);
  const linked = (a: number, b: number): boolean =>
    links.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
  const join = (a: number, b: number): void => {
    links.push([a, b]);
    free[a] = (free[a] ?? 0) - 1;
    free[b] = (free[b] ?? 0) - 1;
  };
  for (;;) {
    const open = free.flatMap((ports, index) => (ports > 0 ? [index] : []));
    const pairs = open.flatMap((a) =>
      open.filter((b) => b > a && !linked(a, b)).map((b) => [a, b]),
    );
    const [a, b] = pairs[Math.floor(random() * pairs.length)] ?? [];
    if (a !== undefined && b !== undefined) {
      join(a, b);
      continue;
    }
    const needy = free.findIndex((ports) => ports >= 2);
    const givers = links.filter(([x, y]) => !linked(needy, x) && !linked(needy, y));
    const giver = givers[Math.floor(random() * givers.length)];
    if (needy < 0 || giver === undefined || giver.includes(needy)) return links;
    links.splice(links.indexOf(giver), 1);
    for (const end of giver) {
      free[end] = (free[end] ?? 0) + 1;
      join(needy, end);
    }
  }
}

export function neighbours(graph: SwitchGraph, at: number): { to: number; link: number }[] {
  return graph.links.flatMap(([a, b], link) =>
    a === at ? [{ to: b, link }] : b === at ? [{ to: a, link }] : [],
  );
}

/** True if every switch is reachable from the first. */
export function isConnected(graph: SwitchGraph): boolean {
  const seen = new Set([0]);
  for (const at of seen) for (const { to } of neighbours(graph, at)) seen.add(to);
  return seen.size === graph.switches;
}

/** The switch with the most links; the lowest number among equals. */
export function busiestSwitch(graph: SwitchGraph): number {
  const degrees = degreesOf(graph);
  return degrees.indexOf(Math.max(...degrees));
}

/** The switch with the fewest links; the lowest number among equals. */
export function quietestSwitch(graph: SwitchGraph): number {
  const degrees = degreesOf(graph);
  return degrees.indexOf(Math.min(...degrees));
}

const degreesOf = (graph: SwitchGraph): number[] =>
  Array.from({ length: graph.switches }, (_, at) => neighbours(graph, at).length);
