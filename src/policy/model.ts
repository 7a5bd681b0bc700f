import { formatBitRate, integerPower } from '../core';
import { nameList } from './choose';
import { definePolicy, type PathRuleInput, type PolicyStep } from './define-policy';
import { learnAboutPaths, startProbe, triedInVain, untried, withProbe } from './model-probe';
import { allSets, idsOf, isSameSet, rateSet, worth, type RatedSet } from './model-sets';
import type { ModelConfig, ModelMemory } from './model-types';
import type { ObservedPath } from './observation';

/**
 * This project's policy: the set of paths with the highest safe in-order goodput, as the model of joint
 * delivery (`goodput.ts`) predicts it. A path of unknown rate is
 * measured beside the others first. An unused one is tried again when the buffer can pay for it and a gain is
 * possible.
 */
export const modelPolicy = definePolicy<ModelMemory, ModelConfig>({
  name: 'model',
  summary: 'The networks that deliver most together',
  defaults: {
    gainFactor: 1.05,
    sizeFactor: 1.1,
    holdMs: 800,
    learnMs: 3000,
    knownConfidence: 0.3,
    urgentBufferMs: 8000,
    probeCostShare: 0.015,
    probeMinMs: 4000,
    probeMaxMs: 160_000,
    probeLengthMs: 2500,
    probeBufferShare: 0.35,
  },
  limits: {
    gainFactor: [1, 10],
    sizeFactor: [1, 10],
    holdMs: [0, 60_000],
    learnMs: [0, 600_000],
    knownConfidence: [0, 1],
    urgentBufferMs: [0, 600_000],
    probeCostShare: [0, 1],
    probeMinMs: [0, 1e9],
    probeMaxMs: [0, 1e9],
    probeLengthMs: [0, 60_000],
    probeBufferShare: [0, 1],
  },
  newcomers: 'active',
  returning: 'active',
  start: () => ({ chosen: [], rival: null, records: [], probe: null, isMeasuring: false }),
  rule: (before, seen) => {
    const { live } = seen;
    const memory = learnAboutPaths(before, seen);
    if (live.length < 2) return alone(memory, live);
    const quiet = live.filter(({ silent }) => silent === true);
    if (quiet.length === 0 || quiet.length === live.length) return measureOrChoose(memory, seen);
    // A silent path of the set stays active, so that its first byte restores it. No decision relies on it. Another one
    // stays a backup: active, it would be sent new bytes and then wait for them again.
    const awake = live.filter((path) => !quiet.includes(path));
    const rest =
      awake.length < 2 ? alone(memory, awake) : measureOrChoose(memory, { ...seen, live: awake });
    const kept = idsOf({ paths: quiet }).filter((id) => memory.chosen.includes(id));
    return {
      memory: { ...rest.memory, chosen: [...rest.memory.chosen, ...kept] },
      active: [...rest.active, ...kept],
      reason:
        awake.length < 2
          ? `${nameList(quiet)} delivers nothing: ${nameList(awake)}${rateOf(awake)} carries on`
          : `${nameList(quiet)} delivers nothing: ${rest.reason}`,
    };
  },
});

function alone(memory: ModelMemory, live: readonly ObservedPath[]): PolicyStep<ModelMemory> {
  const chosen = live.map(({ pathId }) => pathId);
  return {
    memory: { ...memory, chosen, rival: null, probe: null },
    active: chosen,
    reason: `${nameList(live)}${rateOf(live)} carries the stream: it is the only network`,
  };
}

/** Measures a path of unknown rate first, then chooses the best set. */
function measureOrChoose(
  memory: ModelMemory,
  seen: PathRuleInput<ModelConfig>,
): PolicyStep<ModelMemory> {
  const { live, config, observation } = seen;
  const unknown = live.filter((path) => untried(path, memory, seen));
  const nearest = triedInVain(unknown, memory, seen);
  if (nearest) {
    const active = [nearest.pathId];
    return {
      memory: { ...memory, chosen: active, rival: null, probe: null, isMeasuring: true },
      active,
      reason: `trying ${nearest.pathId} alone: its rate is not known yet`,
    };
  }
  if (unknown.length > 0) {
    const known = live.filter((path) => !unknown.includes(path));
    const sets = known.length > 0 ? allSets(known, observation) : [];
    const base = bestSet(sets, config)?.paths ?? [];
    const active = [...base, ...unknown].map(({ pathId }) => pathId);
    return {
      memory: { ...memory, chosen: active, rival: null, probe: null, isMeasuring: true },
      active,
      reason: `trying ${nameList(unknown)}: its rate is not known yet`,
    };
  }
  return choose(memory, seen);
}

/** The set with the highest safe goodput. A larger one must gain enough. */
function bestSet(sets: readonly RatedSet[], config: ModelConfig): RatedSet | undefined {
  let best: RatedSet | undefined;
  for (const set of sets) {
    const factor =
      best && set.paths.length > best.paths.length
        ? integerPower(config.sizeFactor, set.paths.length - best.paths.length)
        : 1;
    if (!best || worth(set) > worth(best) * factor) best = set;
  }
  return best;
}

function choose(memory: ModelMemory, seen: PathRuleInput<ModelConfig>): PolicyStep<ModelMemory> {
  const { live, config, observation, stepMs } = seen;
  const sets = allSets(live, observation);
  const present = live.filter(({ pathId }) => memory.chosen.includes(pathId));
  const current = present.length > 0 ? rateSet(present, observation) : undefined;
  const best = bestSet(sets, config);
  if (!best) return { memory, active: [], reason: 'no network is alive' };
  const take = (set: RatedSet): PolicyStep<ModelMemory> => {
    const chosen = idsOf(set);
    const settled = { ...memory, chosen, rival: null, probe: null, isMeasuring: false };
    return { memory: settled, active: chosen, reason: explain(set, sets, seen) };
  };
  if (!current || memory.isMeasuring) return take(best);
  if (isSameSet(idsOf(best), idsOf(current)) || worth(best) <= worth(current) * config.gainFactor) {
    const probed = startProbe({ ...memory, rival: null }, seen, current);
    const { probe } = probed;
    return {
      memory: { ...probed, chosen: idsOf(current) },
      active: withProbe(idsOf(current), probe),
      reason: probe
        ? `trying ${probe.pathId} again ${probe.alone ? 'in place of' : 'beside'} ${nameList(present)}: the buffer pays for it`
        : explain(current, sets, seen),
    };
  }
  const busyMs = observation.requests.length > 0 ? stepMs : 0;
  const same = memory.rival !== null && isSameSet(memory.rival.pathIds, idsOf(best));
  const ms = (same ? (memory.rival?.ms ?? 0) : 0) + busyMs;
  // The paths in use no longer carry the rung and the buffer is short: switch without a delay.
  const short = (observation.needBps ?? 0) > current.safeRateBps;
  const urgent = short && (observation.bufferMs ?? 0) < config.urgentBufferMs;
  if (urgent || ms >= config.holdMs) return take(best);
  return {
    memory: { ...memory, chosen: idsOf(current), rival: { pathIds: idsOf(best), ms } },
    active: withProbe(idsOf(current), memory.probe),
    reason: explain(current, sets, seen),
  };
}

function rateOf(paths: readonly ObservedPath[]): string {
  const sumBps = paths.reduce((sum, { rateBps }) => sum + rateBps, 0);
  return sumBps > 0 ? ` (${formatBitRate(sumBps)})` : '';
}

/** "left lte: wifi delivers 4.8 Mbit/s without, 3.1 Mbit/s with". */
function explain(
  set: RatedSet,
  sets: readonly RatedSet[],
  { live }: PathRuleInput<ModelConfig>,
): string {
  const left = live.filter((path) => !set.paths.includes(path));
  const all = sets.find(({ paths }) => paths.length === live.length);
  const names = nameList(set.paths);
  if (left.length === 0) {
    return `${names} together: ${formatBitRate(set.rateBps)} expected`;
  }
  if (!all) return `${names}: ${formatBitRate(set.rateBps)} expected`;
  return (
    `left ${nameList(left)}: ${names} delivers ${formatBitRate(set.rateBps)} without, ` +
    `${formatBitRate(all.rateBps)} with`
  );
}
