/**
 * How much of the time a path has been there lately. A path that comes and goes is used while it is there, and
 * counted on only for its share of the time: bitrates that follow every flap cost more in switches than they gain.
 */
import { clamp, halving, type PathId } from '../core';
import type { PathEstimatorState } from '../paths';

export const reliabilityConfig = {
  /** Time after which an absence weighs half. Example: 20 s, what a player has in its buffer. */
  halfLifeMs: 20_000,
  /** Below this a path counts for so much all the same. Example: 0.2. */
  least: 0.2,
} as const;

export interface Reliability {
  pathId: PathId;
  /** 0 to 1: share of the recent past in which the path was alive. */
  share: number;
  /** As of when. */
  asOfMs: number;
}

/** Takes the time since the last call into account. */
export function followReliability(
  known: readonly Reliability[],
  { paths }: PathEstimatorState,
  nowMs: number,
): Reliability[] {
  return [...paths]
    .map(([pathId, { state }]): Reliability => {
      const before = known.find((entry) => entry.pathId === pathId);
      if (before === undefined) return { pathId, share: 1, asOfMs: nowMs };
      const kept = halving(clamp(nowMs - before.asOfMs, 0, 1e9) / reliabilityConfig.halfLifeMs);
      const alive = state === 'active' || state === 'backup' ? 1 : 0;
      return { pathId, share: before.share * kept + alive * (1 - kept), asOfMs: nowMs };
    })
    .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
}

/** What a path counts for; 1 for one that nothing is known of. */
export function reliabilityOf(known: readonly Reliability[], pathId: PathId): number {
  const share = known.find((entry) => entry.pathId === pathId)?.share ?? 1;
  return clamp(share, reliabilityConfig.least, 1);
}
