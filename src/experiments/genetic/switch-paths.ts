import { neighbours, type SwitchGraph } from './switch-graph';

/** A route through the switches, without a loop. */
export interface SwitchPath {
  /** Switches in order, client's first. */
  switches: readonly number[];
  /** Links in order. */
  links: readonly number[];
}

/** Routes that a controller keeps per pair of switches. */
export const MAX_PATHS = 200;

/**
 * Routes between two switches, fewest links first, at most `most`; routes of equal length come in the order
 * of the links' numbers. For one and the same switch there is one route, without a link.
 */
export function listPaths(
  graph: SwitchGraph,
  from: number,
  to: number,
  most: number = MAX_PATHS,
): SwitchPath[] {
  const found: SwitchPath[] = [];
  let edge: SwitchPath[] = [{ switches: [from], links: [] }];
  while (edge.length > 0 && found.length < most) {
    found.push(...edge.filter(({ switches }) => switches.at(-1) === to));
    edge = edge.flatMap((path) => extend(graph, path, to));
  }
  return found.slice(0, most);
}

/** All routes of at most that delay; `delaysMs` by link. */
export function listNearPaths(
  graph: SwitchGraph,
  from: number,
  to: number,
  delaysMs: readonly number[],
  maxDelayMs: number,
): SwitchPath[] {
  const isNear = ({ links }: SwitchPath): boolean =>
    links.reduce((sum, link) => sum + (delaysMs[link] ?? 0), 0) <= maxDelayMs;
  const found: SwitchPath[] = [];
  let edge: SwitchPath[] = [{ switches: [from], links: [] }];
  while (edge.length > 0) {
    found.push(...edge.filter(({ switches }) => switches.at(-1) === to));
    edge = edge.flatMap((path) => extend(graph, path, to)).filter(isNear);
  }
  return found;
}

function extend(graph: SwitchGraph, { switches, links }: SwitchPath, to: number): SwitchPath[] {
  const last = switches.at(-1);
  if (last === undefined || last === to) return [];
  return neighbours(graph, last)
    .filter((next) => !switches.includes(next.to))
    .map((next) => ({ switches: [...switches, next.to], links: [...links, next.link] }));
}

/** True if two routes have no link in common. */
export function areDisjoint(one: SwitchPath, other: SwitchPath): boolean {
  return commonLinks(one, other).length === 0;
}

export function commonLinks(one: SwitchPath, other: SwitchPath): number[] {
  return one.links.filter((link) => other.links.includes(link));
}
