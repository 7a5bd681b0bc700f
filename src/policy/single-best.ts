import { formatBitRate, type PathId } from '../core';
import { bestPath, nameList } from './choose';
import { definePolicy, type PathRuleInput } from './define-policy';
import type { ObservedPath } from './observation';

export interface SingleBestConfig {
  /** Another path must carry this multiple of the current one's rate to replace it. Example: 1.2. */
  gainFactor: number;
  /** Duration of that lead. Example: 2000 ms, one segment. */
  holdMs: number;
  /** Longest time with a request outstanding for which a path of unknown rate is used beside the best. Example: 3000 ms. */
  learnMs: number;
  /** Below this confidence a rate is unknown. Example: 0.1; the estimator gives a returned path 0.16. */
  knownConfidence: number;
}

interface SingleBestMemory {
  chosen: PathId | null;
  /** The candidate for a replacement, and the start of its lead. */
  rival: { pathId: PathId; sinceMs: number } | null;
  /** Trial time of each path. */
  tried: readonly { pathId: PathId; ms: number }[];
}

/**
 * One path at a time: the one with the highest safe rate. Only used paths have known rates: until
 * each was tried once, the untried ones run beside the best.
 */
export const singleBestPolicy = definePolicy<SingleBestMemory, SingleBestConfig>({
  name: 'single-best',
  summary: 'The fastest network alone',
  defaults: { gainFactor: 1.2, holdMs: 2000, learnMs: 3000, knownConfidence: 0.1 },
  limits: {
    gainFactor: [1, 100],
    holdMs: [0, 600_000],
    learnMs: [0, 600_000],
    knownConfidence: [0, 1],
  },
  newcomers: 'active',
  start: () => ({ chosen: null, rival: null, tried: [] }),
  rule: (memory, seen) => {
    const { live, config } = seen;
    const tried = timeTried(memory, seen);
    const isUnknown = (path: ObservedPath): boolean =>
      path.confidence < config.knownConfidence &&
      (tried.find(({ pathId }) => pathId === path.pathId)?.ms ?? 0) < config.learnMs;
    const unknown = live.filter(isUnknown);
    const current = live.find(({ pathId }) => pathId === memory.chosen);
    const best = bestPath(live.length > 1 ? live.filter((path) => !isUnknown(path)) : live);
    const next =
      current && best && isUnknown(current) ? best : replace(memory, current, best, seen);
    const kept = {
      chosen: next?.pathId ?? null,
      rival: next && best && best !== next ? rivalOf(memory, best, next, seen) : null,
      tried,
    };
    if (unknown.length > 0 && live.length > 1) {
      return {
        memory: kept,
        active: [...unknown, ...(next ? [next] : [])].map(({ pathId }) => pathId),
        reason: `trying ${nameList(unknown)}: its rate is not known yet`,
      };
    }
    const rate = next && next.rateBps > 0 ? ` (${formatBitRate(next.rateBps)})` : '';
    return {
      memory: kept,
      active: next ? [next.pathId] : [],
      reason: `${next?.pathId ?? 'no network'} alone carries the stream: ${live.length > 1 ? 'the fastest' : 'it is the only network'}${rate}`,
    };
  },
});

function timeTried(
  memory: SingleBestMemory,
  { paths, observation, stepMs }: PathRuleInput<SingleBestConfig>,
): SingleBestMemory['tried'] {
  // A returned path is a new one: it may be another network behind the same name.
  return paths
    .filter(({ state }) => state !== 'lost')
    .map(({ pathId, state }) => {
      const before = memory.tried.find((entry) => entry.pathId === pathId)?.ms ?? 0;
      const used = state === 'active' && observation.requests.length > 0;
      return { pathId, ms: before + (used ? stepMs : 0) };
    });
}

function rivalOf(
  memory: SingleBestMemory,
  best: ObservedPath,
  current: ObservedPath,
  { nowMs, config }: PathRuleInput<SingleBestConfig>,
): SingleBestMemory['rival'] {
  if (best.safeRateBps <= current.safeRateBps * config.gainFactor) return null;
  return memory.rival?.pathId === best.pathId
    ? memory.rival
    : { pathId: best.pathId, sinceMs: nowMs };
}

function replace(
  memory: SingleBestMemory,
  current: ObservedPath | undefined,
  best: ObservedPath | undefined,
  seen: PathRuleInput<SingleBestConfig>,
): ObservedPath | undefined {
  if (!current || !best || current === best) return current ?? best;
  const rival = rivalOf(memory, best, current, seen);
  return rival && seen.nowMs - rival.sinceMs >= seen.config.holdMs ? best : current;
}
