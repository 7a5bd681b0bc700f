import { mean } from '../../core';
import type { Choice, LinkView, PathView } from './selection';

/** A link may be taken by a second subflow of a client where its delay is below this (section IV-A-1; the value is open). */
const SHARED_DELAY_MS = 30;

/**
 * Partially disjoint, bandwidth (section IV-A-1, after Jiang et al.): one path after another, each time the one
 * with the most bandwidth available. A link is shared only where its capacity is above a value, here the mean
 * of all links.
 */
export function widestPaths(choice: Choice): number[] {
  const wideBps = mean(choice.links.map(({ rateBps }) => rateBps)) ?? 0;
  return takeInTurn(
    choice,
    (one, other) => other.availableBps - one.availableBps,
    (link) => link.rateBps > wideBps,
  );
}

/**
 * Partially disjoint, delay (section IV-A-1, after Barakabitze et al.): one path after another, each time the
 * one with the least delay. A link is shared only where its delay is below a value.
 */
export function shortestPaths(choice: Choice): number[] {
  return takeInTurn(
    choice,
    (one, other) => one.delayMs - other.delayMs,
    (link) => link.delayMs < SHARED_DELAY_MS,
  );
}

/** The best paths in their order, each with links that are new or may be shared. */
export function takeInTurn(
  { paths, links, subflows }: Choice,
  order: (one: PathView, other: PathView) => number,
  mayShare: (link: LinkView) => boolean,
): number[] {
  const taken: number[] = [];
  const used = new Set<number>();
  const ranked = [...paths.entries()].sort(([i, one], [j, other]) => order(one, other) || i - j);
  for (const [at, path] of ranked) {
    if (taken.length === subflows) break;
    const fits = path.links.every((link) => {
      const view = links[link];
      return !used.has(link) || (view !== undefined && mayShare(view));
    });
    if (!fits) continue;
    taken.push(at);
    for (const link of path.links) used.add(link);
  }
  return taken;
}
