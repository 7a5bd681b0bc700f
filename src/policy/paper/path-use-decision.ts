import {
  addSample,
  smoothedMean,
  formatBitRate,
  NO_SAMPLES,
  type PathId,
  type SmoothedSamples,
} from '../../core';
import { nameList } from '../choose';
import { definePolicy, type PathRuleInput } from '../define-policy';
import type { ObservedPath } from '../observation';

export interface PathUseDecisionConfig {
  /** Samples per path in the weighted average, and before a path is judged. Paper, section IV-A: 150. */
  n: number;
  /** Share of the best path's average that a path must exceed. Paper, section IV-A: 0.6. */
  rho: number;
  /**
   * Time after which an unused path is tried again, because it gives no samples. 0: never. This project's;
   * the paper leaves it open. Example: 60 s.
   */
  retryMs: number;
  /** Samples after which a path on trial is judged. This project's. Example: 30. */
  retrySamples: number;
}

interface History {
  pathId: PathId;
  samples: SmoothedSamples;
  disabledAtMs: number | null;
  onTrial: boolean;
}

interface PathUseDecisionMemory {
  histories: readonly History[];
}

/**
 * The path use decision of MPTCP+ (section III-A and Algorithm 1), on the receiver. A path is used when its average
 * is above rho times the largest. At or below it the path is disabled (line 23 and the text).
 */
export const pathUseDecisionPolicy = definePolicy<PathUseDecisionMemory, PathUseDecisionConfig>({
  name: 'path-use-decision',
  summary: 'Leaves out much slower networks (MPTCP+)',
  defaults: { n: 150, rho: 0.6, retryMs: 60_000, retrySamples: 30 },
  limits: { n: [1, 10_000], rho: [0, 1], retryMs: [0, 1e9], retrySamples: [1, 10_000] },
  start: () => ({ histories: [] }),
  rule: (memory, seen) => {
    const { live, paths, config, nowMs } = seen;
    const rated = paths.map((path) => {
      const history = observe(memory, path, seen);
      return {
        path,
        history,
        averageBps: smoothedMean(history.samples, samplesWanted(history, config)),
      };
    });
    let best: { pathId: PathId; averageBps: number } | undefined;
    for (const { path, averageBps } of rated) {
      if (averageBps === undefined || !live.includes(path)) continue;
      if (!best || averageBps > best.averageBps) best = { pathId: path.pathId, averageBps };
    }
    const allowed: PathId[] = [];
    const left: string[] = [];
    const histories = rated.map(({ path, history, averageBps }): History => {
      const limitBps = config.rho * (best?.averageBps ?? 0);
      const isBest = best === undefined || best.averageBps <= 0 || path.pathId === best.pathId;
      const use = isBest || averageBps === undefined || averageBps > limitBps;
      const disabledAtMs = use ? null : (history.disabledAtMs ?? nowMs);
      const retry =
        disabledAtMs !== null && config.retryMs > 0 && nowMs - disabledAtMs >= config.retryMs;
      if (use || retry) allowed.push(path.pathId);
      else if (live.includes(path)) left.push(`${path.pathId} (${formatBitRate(averageBps)})`);
      return retry ? { ...newHistory(path.pathId), onTrial: true } : { ...history, disabledAtMs };
    });
    return { memory: { histories }, active: allowed, reason: reasonFor(best, left, seen) };
  },
});

function newHistory(pathId: PathId): History {
  return { pathId, samples: NO_SAMPLES, disabledAtMs: null, onTrial: false };
}

/** Number of samples that a judgement needs. */
function samplesWanted({ onTrial }: History, { n, retrySamples }: PathUseDecisionConfig): number {
  return Math.trunc(onTrial ? Math.min(n, retrySamples) : n);
}

function observe(
  memory: PathUseDecisionMemory,
  path: ObservedPath,
  { config }: PathRuleInput<PathUseDecisionConfig>,
): History {
  // A lost path may return as another network.
  if (path.state === 'lost') return newHistory(path.pathId);
  const known =
    memory.histories.find(({ pathId }) => pathId === path.pathId) ?? newHistory(path.pathId);
  if (path.state !== 'active' || path.throughputBps === undefined) return known;
  return {
    ...known,
    samples: addSample(known.samples, path.throughputBps, Math.trunc(config.n)),
  };
}

function reasonFor(
  best: { pathId: PathId; averageBps: number } | undefined,
  left: readonly string[],
  { live, config }: PathRuleInput<PathUseDecisionConfig>,
): string {
  if (!best) return `measuring ${nameList(live)} before leaving any out`;
  const share = `${Math.round(config.rho * 100)} % of ${best.pathId}'s ${formatBitRate(best.averageBps)}`;
  return left.length > 0
    ? `left ${left.join(', ')}: not above ${share}`
    : `no network is far behind: none under ${share}`;
}
