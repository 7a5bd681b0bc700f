import type { PathId } from '../../core';
import { predictGoodput, type SetForecast } from '../goodput';
import { bestPath } from './choose';
import type { ObservedPath, PathObservation } from './observation';

/** All sets of more paths than this would make a decision slow: the fastest ones stand for the rest. */
const combinedPaths = 5;

/** A set of paths with what it is expected to deliver. */
export interface RatedSet extends SetForecast {
  /** Sorted by name. */
  paths: readonly ObservedPath[];
}

export function rateSet(paths: readonly ObservedPath[], observation: PathObservation): RatedSet {
  const sorted = [...paths].sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
  const members = sorted.map((path) => ({
    pathId: path.pathId,
    rateBps: path.rateBps,
    safeRateBps: path.safeRateBps,
    rttMs: path.rcvRttMs,
  }));
  const predicted = predictGoodput(members, observation.learned ?? [], observation.segmentBytes);
  return { ...predicted, paths: sorted };
}

/** Decided by the middle of what is expected and what is safe: a path long unseen counts less, not nothing. */
export function worth(set: RatedSet): number {
  return (set.rateBps + set.safeRateBps) / 2;
}

/** Every set that can be made of these paths; smaller ones first. */
export function allSets(paths: readonly ObservedPath[], observation: PathObservation): RatedSet[] {
  const pool: ObservedPath[] = [];
  const rest = [...paths];
  while (pool.length < combinedPaths && rest.length > 0) {
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
