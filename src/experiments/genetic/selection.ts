import type { Random } from '../../core';
import type { SwitchPath } from './switch-paths';

/** What the controller knows of a link when a client joins. Towards the clients, where the film goes. */
export interface LinkView {
  rateBps: number;
  delayMs: number;
  /** Carried over the last seconds. */
  usedBps: number;
  /** Clients that have a subflow over it. */
  clients: number;
}

/** A path that a client's subflow may take. */
export interface PathView extends SwitchPath {
  /** One way. */
  delayMs: number;
  /** Of its link with the least left. */
  availableBps: number;
}

/** What a path selection chooses from. */
export interface Choice {
  /** Never empty; those with the fewest links first. */
  paths: readonly PathView[];
  links: readonly LinkView[];
  /** At most so many: as the client has addresses. */
  subflows: number;
  random: Random;
}

/**
 * A way to choose paths for the subflows of a client that joins.
 * @returns positions in `paths`, the first subflow's first; at least one
 */
export type PathSelection = (choice: Choice) => number[];

/** One that also tells how much work it was. */
export interface CountedSelection {
  paths: number[];
  /** Different combinations of paths that were rated. */
  evaluations: number;
  /** Random numbers that were drawn: the steps of the search. */
  draws: number;
  fitness: number;
}

/** What is free of a path: the least of its links. A path without a link has no limit. */
export function availableBps(path: SwitchPath, links: readonly LinkView[]): number {
  return Math.min(
    ...path.links.map((link) => {
      const { rateBps, usedBps } = links[link] ?? { rateBps: 0, usedBps: 0 };
      return Math.max(0, rateBps - usedBps);
    }),
  );
}

export function viewPath(path: SwitchPath, links: readonly LinkView[]): PathView {
  return {
    ...path,
    delayMs: path.links.reduce((sum, link) => sum + (links[link]?.delayMs ?? 0), 0),
    availableBps: availableBps(path, links),
  };
}
