import {
  emptyEwma,
  ewmaMean,
  formatDuration,
  updateEwma,
  type Ewma,
  type PathId,
  type SettingLimits,
} from '../../core';
import { byRtt, nameList, rttMs } from '../choose';
import { definePolicy, type PathRuleInput, type PolicyStep } from '../define-policy';
import type { ObservedPath } from '../observation';
import type { Policy } from '../policy';

/** Definition of "congested" for a whole path. The paper leaves it open (its unit is one packet). */
export interface StickyConfig {
  /**
   * A path with a present rate below this share of its usual one is congested. Example: 0.5, the cost of a
   * loss in TCP.
   */
  congestedShare: number;
  /** Measured time after which the present rate weighs an old value half. Example: 500 ms. */
  presentHalfLifeMs: number;
  /** The same for the usual rate. Example: 20 s, ten segments. */
  usualHalfLifeMs: number;
  /** Measured time before a path can count as congested. Example: 2000 ms. */
  minMeasuredMs: number;
  /** A path without samples for this long counts as recovered. Example: 10 s. */
  forgetMs: number;
}

export const defaultStickyConfig: StickyConfig = {
  congestedShare: 0.5,
  presentHalfLifeMs: 500,
  usualHalfLifeMs: 20_000,
  minMeasuredMs: 2000,
  forgetMs: 10_000,
};

export const stickyLimits: SettingLimits<StickyConfig> = {
  congestedShare: [0, 1],
  presentHalfLifeMs: [1, 1e6],
  usualHalfLifeMs: [1, 1e6],
  minMeasuredMs: [0, 1e6],
  forgetMs: [0, 1e9],
};

interface Meter {
  pathId: PathId;
  present: Ewma;
  usual: Ewma;
  measuredMs: number;
  sampledAtMs: number;
}

export interface StickyMemory {
  /** The current home path. */
  home: PathId | null;
  /** False while home was chosen without known round trips. */
  informed: boolean;
  /** The path in use beside a congested home while no switch is committed. */
  helper: PathId | null;
  meters: readonly Meter[];
}

/** One end of a switch from path i to path j: lambda and rtt of the paper. */
export interface SwitchEnd {
  pathId: PathId;
  rateBps: number;
  rttMs: number | undefined;
}

/** The rule that differs between the three schedulers: the objection to a switch. Undefined: commit. */
export type Objection<Config> = (
  from: SwitchEnd,
  to: SwitchEnd,
  config: Config,
) => string | undefined;

/**
 * Sticky scheduling (Nagayama et al., section V) applied to live paths. It starts on the path
 * with the smallest round trip and uses that path alone until it is congested or gone. Candidates are checked
 * in the order of the default scheduler, smallest round trip first. The first one without an objection
 * becomes home. With objections against all, the first candidate only helps: both carry data, as under the
 * default scheduler, until home recovers or the objection no longer holds.
 */
export function stickyPolicy<Config extends StickyConfig>(own: {
  name: string;
  summary: string;
  defaults: Config;
  limits: SettingLimits<Config>;
  objection: Objection<Config>;
}): Policy<object, Config> {
  return definePolicy<StickyMemory, Config>({
    name: own.name,
    summary: own.summary,
    defaults: own.defaults,
    limits: own.limits,
    start: () => ({ home: null, informed: false, helper: null, meters: [] }),
    rule: (before, seen) => {
      const memory = { ...before, meters: updateMeters(before.meters, seen) };
      return stick(memory, seen, (from, to) => own.objection(from, to, seen.config));
    },
  });
}

function stick<Config extends StickyConfig>(
  memory: StickyMemory,
  seen: PathRuleInput<Config>,
  objection: (from: SwitchEnd, to: SwitchEnd) => string | undefined,
): PolicyStep<StickyMemory> {
  const byRoundTrip = [...seen.live].sort(byRtt);
  const first = byRoundTrip[0];
  const home = seen.live.find(({ pathId }) => pathId === memory.home);
  if (!first) return { memory, active: [], reason: '' };
  if (memory.home === null || (home && !memory.informed)) {
    const rtt = rttMs(first);
    const how = rtt === undefined ? 'first' : `shortest round trip (${formatDuration(rtt)})`;
    return settleOn(memory, first, rtt !== undefined, `starts on ${first.pathId}: ${how}`);
  }
  if (home && !isCongested(memory, home, seen)) {
    return settleOn(memory, home, true, `stays on ${home.pathId}: it is not congested`);
  }
  const others = byRoundTrip.filter((path) => path !== home);
  const clear = others.filter((path) => !isCongested(memory, path, seen));
  const candidates = home || clear.length > 0 ? clear : others;
  const trouble = home ? `${home.pathId} is congested` : `${memory.home} is gone`;
  if (candidates.length === 0 && home) {
    return settleOn(memory, home, true, `stays on ${home.pathId}: no other network is better off`);
  }
  const from = homeEnd(memory, home, seen);
  const refusals = candidates.map((path) => ({
    path,
    why: objection(from, switchEnd(memory, path)),
  }));
  const taken = refusals.find(({ why }) => why === undefined)?.path;
  if (taken) return settleOn(memory, taken, true, `moved to ${taken.pathId}: ${trouble}`);
  const refused = refusals.find(({ path }) => path.pathId === memory.helper) ?? refusals[0];
  const helper = refused?.path ?? first;
  const both = home ? [home, helper] : [helper];
  return {
    memory: { ...memory, helper: helper.pathId },
    active: both.map(({ pathId }) => pathId),
    reason: `${trouble}; uses ${nameList(both)} but does not move: ${refused?.why ?? ''}`,
  };
}

function settleOn(
  memory: StickyMemory,
  path: ObservedPath,
  informed: boolean,
  reason: string,
): PolicyStep<StickyMemory> {
  const settled = { ...memory, home: path.pathId, informed, helper: null };
  return { memory: settled, active: [path.pathId], reason };
}

function meterOf(memory: StickyMemory, pathId: PathId): Meter | undefined {
  return memory.meters.find((meter) => meter.pathId === pathId);
}

/** Home at the moment of the switch, with its present rate: none if it is gone. */
function homeEnd<Config>(
  memory: StickyMemory,
  home: ObservedPath | undefined,
  seen: PathRuleInput<Config>,
): SwitchEnd {
  const last = home ?? seen.paths.find(({ pathId }) => pathId === memory.home);
  const meter = meterOf(memory, memory.home ?? '');
  const presentBps = meter ? ewmaMean(meter.present) : undefined;
  return {
    pathId: memory.home ?? '',
    rateBps: home ? (presentBps ?? home.rateBps) : 0,
    rttMs: last ? rttMs(last) : undefined,
  };
}

function switchEnd(memory: StickyMemory, path: ObservedPath): SwitchEnd {
  const meter = path.state === 'active' ? meterOf(memory, path.pathId) : undefined;
  const presentBps = meter ? ewmaMean(meter.present) : undefined;
  return {
    pathId: path.pathId,
    rateBps: path.rateBps > 0 ? path.rateBps : (presentBps ?? 0),
    rttMs: rttMs(path),
  };
}

function isCongested<Config extends StickyConfig>(
  memory: StickyMemory,
  path: ObservedPath,
  { config, nowMs }: PathRuleInput<Config>,
): boolean {
  const meter = meterOf(memory, path.pathId);
  if (!meter || meter.measuredMs < config.minMeasuredMs) return false;
  if (nowMs - meter.sampledAtMs > config.forgetMs) return false;
  const presentBps = ewmaMean(meter.present) ?? 0;
  return presentBps < config.congestedShare * (ewmaMean(meter.usual) ?? 0);
}

function updateMeters<Config extends StickyConfig>(
  meters: readonly Meter[],
  { paths, config, nowMs, stepMs }: PathRuleInput<Config>,
): Meter[] {
  return paths.flatMap(({ pathId, state, throughputBps }): Meter[] => {
    // A lost path may return as another network.
    if (state === 'lost') return [];
    const old = meters.find((meter) => meter.pathId === pathId);
    const stale = !old || nowMs - old.sampledAtMs > config.forgetMs;
    if (state !== 'active' || throughputBps === undefined || stepMs <= 0) return old ? [old] : [];
    const { present, usual, measuredMs } = stale
      ? { present: emptyEwma, usual: emptyEwma, measuredMs: 0 }
      : old;
    return [
      {
        pathId,
        present: updateEwma(present, throughputBps, stepMs, config.presentHalfLifeMs),
        usual: updateEwma(usual, throughputBps, stepMs, config.usualHalfLifeMs),
        measuredMs: measuredMs + stepMs,
        sampledAtMs: nowMs,
      },
    ];
  });
}
