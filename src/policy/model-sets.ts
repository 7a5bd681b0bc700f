import type { PathId } from '../core';
import { predictGoodput, type SetForecast } from '../estimate';
import { bestPath } from './choose';
import type { ObservedPath, PathObservation } from './observation';

/** All sets of more paths than this would make a decision slow: only the fastest ones are combined. */
const COMBINED_PATHS = 5;

/** A set of paths with its expected delivery. */
export interface RatedSet extends SetForecast {
  /** Sorted by name. */
  paths: readonly ObservedPath[];
}

export function rateSet(paths: readonly ObservedPath[], observation: PathObservation): RatedSet {
  const sorted = [...paths].sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
  const members = sorted.map((path) => ({ ...path, rttMs: path.rcvRttMs }));
  const predicted = predictGoodput(members, observation.segmentBytes);
  return { ...predicted, paths: sorted };
}

/** The mean of the expected and the safe rate: a path unseen for a long time counts less, but not zero. */
export function worth(set: RatedSet): number {
  return (set.rateBps + set.safeRateBps) / 2;
}

/** Every set of these paths, smaller ones first. */
export function allSets(paths: readonly ObservedPath[], observation: PathObservation): RatedSet[] {
  const pool: ObservedPath[] = [];
  const rest = [...paths];
  while (pool.length < COMBINED_PATHS && rest.length > 0) {
    const best = bestPath(rest);
    if (!best) break;
    pool.push(best);
    rest.splice(rest.indexOf(best), 1);
  }
  const sets: RatedSet[] = [];
  for (let bits = 1; bits < 2 ** pool.length; bits += 1) {
    sets.push(
      rateSet(
        pool.filter((_, i) => (bits >> i) & 1),
        observation,
      ),
    );
  }
  return sets.sort((a, b) => a.paths.length - b.paths.length);
}

export function idsOf(set: { paths: readonly ObservedPath[] }): PathId[] {
  return set.paths.map(({ pathId }) => pathId);
}

export function isSameSet(a: readonly PathId[], b: readonly PathId[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
