/** Decides when the `model` policy probes a path that is not in use. */
import { clamp, MPTCP_BURST_BYTES, SAMPLE_PERIOD_MS, type PathId } from '../core';
import type { PathRuleInput } from './define-policy';
import { idsOf, rateSet, worth, type RatedSet } from './model-sets';
import type { ModelConfig, ModelMemory, ProbeRecord } from './model-types';
import type { ObservedPath, PathObservation } from './observation';

/** A path is the nearest where every other round trip is at least this many times as long. Chosen; no measurement. */
const NEAREST_RTT_RATIO = 1.5;
/**
 * A path is far behind with a round trip this many times as long and less than this share of the bytes. Chosen; no
 * measurement.
 */
const FAR_RTT_RATIO = 2;
const FAR_BYTES_SHARE = 0.15;
/** With this multiple of the top rung's need, a probe has nothing to win. Chosen; no measurement. */
const ENOUGH_RATIO = 1.2;

/**
 * Time with a request outstanding after which a path can be judged far behind: a few round trips. Chosen; no
 * measurement.
 */
const FAR_AFTER_MS = 1000;

/** The rate of one packet of 1500 bytes in each sample. */
const PACKETS_BPS = (1500 * 8000) / SAMPLE_PERIOD_MS;

const newRecord = (pathId: PathId): ProbeRecord => ({ pathId, usedMs: 0, idleMs: 0, aloneMs: 0 });

/** Neither measured nor tried for long enough. */
export function untried(
  path: ObservedPath,
  memory: ModelMemory,
  { config, live }: PathRuleInput<ModelConfig>,
): boolean {
  const usedMs = memory.records.find(({ pathId }) => pathId === path.pathId)?.usedMs ?? 0;
  if (path.confidence >= config.knownConfidence) return false;
  // Short bursts on a near path only bound its rate from below: they must never justify a switch to a far
  // one. Alone it is tried for as long again. Then it may be one that delivers nothing, and a probe may try it.
  if (usedMs >= (isNearest(path, live) ? 2 : 1) * config.learnMs) return false;
  return usedMs < FAR_AFTER_MS || !isFarBehind(path, live, config);
}

/**
 * Tried for long enough beside the others, still not measured, and no other is nearer: it has to be tried
 * alone.
 */
export function triedInVain(
  unknown: readonly ObservedPath[],
  memory: ModelMemory,
  { config }: PathRuleInput<ModelConfig>,
): ObservedPath | undefined {
  return unknown.find(({ pathId }) => {
    const record = memory.records.find((one) => one.pathId === pathId);
    return (record?.usedMs ?? 0) >= config.learnMs;
  });
}

function isNearest(path: ObservedPath, live: readonly ObservedPath[]): boolean {
  const rttMs = path.rcvRttMs ?? Infinity;
  return (
    rttMs < Infinity &&
    live.every((one) => one === path || NEAREST_RTT_RATIO * rttMs <= (one.rcvRttMs ?? 0))
  );
}

/** Its round trip is far longer and its byte share negligible: its exact rate no longer matters. */
function isFarBehind(
  path: ObservedPath,
  live: readonly ObservedPath[],
  config: ModelConfig,
): boolean {
  return live.some(
    (other) =>
      other.confidence >= config.knownConfidence &&
      path.rcvRttMs !== undefined &&
      path.rcvRttMs > FAR_RTT_RATIO * (other.rcvRttMs ?? Infinity) &&
      path.totalBytes < FAR_BYTES_SHARE * other.totalBytes,
  );
}

/** Counts the time of probes and ends them. A lost path is forgotten: it may return as another network. */
export function learnAboutPaths(
  memory: ModelMemory,
  seen: PathRuleInput<ModelConfig>,
): ModelMemory {
  const { paths, observation, stepMs, config } = seen;
  const busyMs = observation.requests.length > 0 ? stepMs : 0;
  const { probe } = memory;
  const ms = (probe?.ms ?? 0) + busyMs;
  const known = paths.filter(({ state }) => state !== 'lost');
  const goesOn =
    probe !== null &&
    known.some(({ pathId }) => pathId === probe.pathId) &&
    ms < config.probeLengthMs &&
    // Cost does not count once the buffer is empty.
    clamp(observation.bufferMs ?? 0, 0, Infinity) > config.probeLengthMs;
  const records = known.map((path): ProbeRecord => {
    const { pathId, state } = path;
    const before = memory.records.find((record) => record.pathId === pathId) ?? newRecord(pathId);
    const probed = probe?.pathId === pathId;
    const used = memory.chosen.includes(pathId) || probed;
    const measured = probed || (used && !isUnmeasured(path, config));
    return {
      pathId,
      usedMs: before.usedMs + (used && (probed || state === 'active') ? busyMs : 0),
      idleMs: measured ? 0 : before.idleMs + stepMs,
      aloneMs: before.aloneMs + (probed && probe.alone ? busyMs : 0),
    };
  });
  return { ...memory, records, probe: goesOn ? { ...probe, ms } : null };
}

/**
 * Tries the path that waited longest. Conditions: its interval has passed, the buffer outlasts a probe that
 * stops the stream, and the paths in use do not carry the highest rungs already.
 */
export function startProbe(
  memory: ModelMemory,
  { live, observation, config }: PathRuleInput<ModelConfig>,
  current: RatedSet,
): ModelMemory {
  if (memory.probe !== null || config.probeCostShare <= 0) return memory;
  const used = idsOf(current);
  const cost = config.probeLengthMs / Math.max(1, observation.bufferMs ?? 0);
  // A small target can never outlast a probe: then only need may start one.
  if (cost > config.probeBufferShare) return memory;
  const enough =
    observation.topNeedBps !== undefined &&
    current.safeRateBps > ENOUGH_RATIO * observation.topNeedBps;
  if (enough || observation.requests.length === 0) return memory;
  const due = live
    .filter(
      (path) => !used.includes(path.pathId) || (used.length > 1 && isUnmeasured(path, config)),
    )
    .flatMap((path) => {
      const record = memory.records.find(({ pathId }) => pathId === path.pathId);
      if (!record) return [];
      const unseen = isUnmeasured(path, config) && record.aloneMs === 0;
      const waitMs = unseen ? config.probeMinMs : waitFor(path, current, observation, config);
      return record.idleMs >= waitMs ? [{ path, overMs: record.idleMs - waitMs }] : [];
    })
    .sort((a, b) => b.overMs - a.overMs || (a.path.pathId < b.path.pathId ? -1 : 1));
  const first = due[0]?.path;
  if (!first) return memory;
  return { ...memory, probe: { pathId: first.pathId, ms: 0, alone: isUnmeasured(first, config) } };
}

/**
 * Its use beside the others did not measure its rate. Linux sends the head of an answer over the first subflow. The body
 * follows at once, and up to a burst of it goes over another subflow, which has nothing to acknowledge. So a stream of
 * small segments never measures the first path, however fast it is.
 */
function isUnmeasured(path: ObservedPath, config: ModelConfig): boolean {
  const { confidence, rateBps, totalBytes } = path;
  if (totalBytes === 0 || totalBytes >= MPTCP_BURST_BYTES) return false;
  return confidence < config.knownConfidence || rateBps < PACKETS_BPS;
}

/** The paths in use while a probe runs. */
export const withProbe = (
  chosen: readonly PathId[],
  probe: ModelMemory['probe'],
): readonly PathId[] => (probe === null ? chosen : [...(probe.alone ? [] : chosen), probe.pathId]);

/** A higher expected cost makes probes rarer. */
function waitFor(
  path: ObservedPath,
  current: RatedSet,
  observation: PathObservation,
  config: ModelConfig,
): number {
  const beside = isUnmeasured(path, config) ? [] : current.paths;
  const tried = rateSet([...beside, path], observation);
  const loss = clamp(1 - worth(tried) / Math.max(1, worth(current)), 0, 1);
  const waitMs = (config.probeLengthMs * loss) / config.probeCostShare;
  return clamp(waitMs, config.probeMinMs, config.probeMaxMs);
}
