/**
 * How much of the time a path has been there lately. A path that comes and goes is used while it is there, and counted
 * on only for its share of the time, there or not: bitrates that follow every flap cost more in switches than they gain.
 */
import { clamp, halving, type PathId } from '../core';
import type { PathEstimatorState } from '../paths';

export const reliabilityConfig = {
  /** Time after which an absence weighs half. Example: 20 s, what a player has in its buffer. */
  halfLifeMs: 20_000,
  /** Below this a path counts for so much all the same. Example: 0.2. */
  least: 0.2,
  /** A path that came back before is waited for that many times its longest absence. Example: 1.5. */
  patience: 1.5,
  /** Longest. Example: 6 s: what the buffer of a player that follows every flap survives. */
  mostAwayMs: 6000,
} as const;

export interface Reliability {
  pathId: PathId;
  /** 0 to 1: share of the recent past in which the path was alive. */
  share: number;
  /** As of when. */
  asOfMs: number;
  /** Since when it is gone; undefined: it is there. */
  goneSinceMs: number | undefined;
  /** Its longest absence that ended; undefined: it never came back. */
  longestMs: number | undefined;
  /** When it was there last, it was used beside others. */
  shared: boolean;
  /** It was there at some time: a first handshake is no absence. */
  wasThere: boolean;
}

/** Takes the time since the last call into account. @param active paths that are to carry data */
export function followReliability(
  known: readonly Reliability[],
  { paths }: PathEstimatorState,
  nowMs: number,
  active: readonly PathId[],
): Reliability[] {
  return [...paths]
    .map(([pathId, { state }]): Reliability => {
      const before = known.find((entry) => entry.pathId === pathId);
      const isThere = state === 'active' || state === 'backup';
      const shared = isThere
        ? active.length > 1 && active.includes(pathId)
        : before?.shared === true;
      if (before === undefined) {
        return {
          pathId,
          share: 1,
          asOfMs: nowMs,
          goneSinceMs: undefined,
          longestMs: undefined,
          shared,
          wasThere: isThere,
        };
      }
      const kept = halving(clamp(nowMs - before.asOfMs, 0, 1e9) / reliabilityConfig.halfLifeMs);
      const { goneSinceMs, longestMs } = before;
      const came = isThere && goneSinceMs !== undefined;
      return {
        pathId,
        share: before.share * kept + (isThere ? 1 - kept : 0),
        asOfMs: nowMs,
        goneSinceMs: isThere || !before.wasThere ? undefined : (goneSinceMs ?? nowMs),
        longestMs: came ? Math.max(longestMs ?? 0, nowMs - goneSinceMs) : longestMs,
        shared,
        wasThere: before.wasThere || isThere,
      };
    })
    .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
}

/** What a path counts for; 1 for one that nothing is known of. */
export function reliabilityOf(known: readonly Reliability[], pathId: PathId): number {
  const share = known.find((entry) => entry.pathId === pathId)?.share ?? 1;
  return clamp(share, reliabilityConfig.least, 1);
}

/** Gone, but as before: it came back each time, and is not away for clearly longer than ever. */
export function isExpectedBack(
  known: readonly Reliability[],
  pathId: PathId,
  nowMs: number,
): boolean {
  const entry = known.find((one) => one.pathId === pathId);
  if (entry?.goneSinceMs === undefined || entry.longestMs === undefined || !entry.shared) {
    return false;
  }
  const { patience, mostAwayMs } = reliabilityConfig;
  return nowMs - entry.goneSinceMs < Math.min(mostAwayMs, patience * entry.longestMs);
}
