import type { Random } from '../../core';
import type { SwitchPath } from './switch-paths';

/** The controller's view of a link when a client joins, in the direction of the clients. */
export interface LinkView {
  rateBps: number;
  delayMs: number;
  /** Carried over the last seconds. */
  usedBps: number;
  /** Clients that have a subflow over it. */
  clients: number;
}

/** A candidate path for a client's subflow. */
export interface PathView extends SwitchPath {
  /** One way. */
  delayMs: number;
  /** Least available bandwidth of its links. */
  availableBps: number;
  /** Clients that have a subflow over exactly this path. */
  clients: number;
}

/** The input of a path selection. */
export interface Choice {
  /** Never empty; fewest links first. */
  paths: readonly PathView[];
  links: readonly LinkView[];
  /** Upper bound of subflows: the number of the client's addresses. */
  subflows: number;
  random: Random;
}

/**
 * Chooses paths for the subflows of a client that joins.
 * @returns indices in `paths`, the first subflow's first; at least one
 */
export type PathSelection = (choice: Choice) => number[];

/** A selection that also reports its steps. */
export interface CountedSelection {
  paths: number[];
  /** Distinct combinations rated. */
  evaluations: number;
  /** Random numbers drawn: the steps of the search. */
  draws: number;
  fitness: number;
}

/** Available bandwidth of a path: the minimum of its links. A path without a link is unlimited. */
export function availableBps(path: SwitchPath, links: readonly LinkView[]): number {
  return Math.min(
    ...path.links.map((link) => {
      const { rateBps, usedBps } = links[link] ?? { rateBps: 0, usedBps: 0 };
      return Math.max(0, rateBps - usedBps);
    }),
  );
}

export function viewPath(path: SwitchPath, links: readonly LinkView[], clients = 0): PathView {
  return {
    ...path,
    clients,
    delayMs: path.links.reduce((sum, link) => sum + (links[link]?.delayMs ?? 0), 0),
    availableBps: availableBps(path, links),
  };
}
