import { clamp, checkSettings, reasonLine, type SettingLimits } from '../core';
import { chunkLimits, defaultChunkConfig, type ChunkConfig } from './config';
import { sanitizeObservation, type SanitizedObservation } from './sanitize';
import { stepFlights, type FlightTrack } from './flight-track';
import {
  findHeld,
  followWaiting,
  markHeld,
  type NetworkStep,
  type WaitingObject,
} from './held-objects';
import { newNetwork, stepNetwork, type NetworkTrack } from './network-track';
import { seeNetwork, type ChunkRuleInput, type Wish } from './seen';
import { settle } from './settle';
import {
  ChunkConfigError,
  type ChunkScheduler,
  type NetworkBelief,
  type ObservedNetwork,
} from './types';

/** The answer of a rule. */
export interface SchedulerStep<Memory> {
  memory: Memory;
  wishes: readonly Wish[];
  /** Time until the rule must be called again, if no event occurs earlier. */
  wakeInMs: number;
  reason: string;
}

/** The part that a scheduler defines itself. */
export interface SchedulerRules<Memory, Config extends ChunkConfig> {
  name: string;
  summary: string;
  /** Settings in addition to those of every scheduler, with their values and ranges. */
  defaults: Omit<Config, keyof ChunkConfig>;
  limits: SettingLimits<Omit<Config, keyof ChunkConfig>>;
  /** Memory must be plain JSON data: no maps, no undefined, no NaN. */
  start(config: Config): Memory;
  rule(memory: Memory, seen: ChunkRuleInput<Config>): SchedulerStep<Memory>;
}

/** State of a scheduler made by {@link defineScheduler}. */
export interface SchedulerState<Memory, Config> {
  scheduler: string;
  config: Config;
  clock: { seenMs: number | null; nowMs: number };
  nextChunkId: number;
  flights: readonly FlightTrack[];
  networks: readonly NetworkTrack[];
  waiting: readonly WaitingObject[];
  memory: Memory;
}

/** A longer step is a clock jump or a suspended machine. Chosen; no measurement. */
const MAX_STEP_MS = 1000;
/** Bounds of the time to the next call: no busy loop, no missed probe. Chosen; no measurement. */
const MIN_WAKE_MS = 5;
const MAX_WAKE_MS = 1000;

/**
 * Makes a scheduler out of a rule. The rule sees sanitized numbers and a clock without jumps; its settings are
 * checked and its requests are bounded. This function also measures rate and health of each network, and cancels
 * requests without progress.
 */
export function defineScheduler<Memory, Config extends ChunkConfig>(
  rules: SchedulerRules<Memory, Config>,
): ChunkScheduler<SchedulerState<Memory, Config>, Config> {
  const defaults = { ...defaultChunkConfig, ...rules.defaults } as Config;
  const limits = { ...chunkLimits, ...rules.limits } as unknown as SettingLimits<Config>;
  return {
    name: rules.name,
    summary: rules.summary,
    initial(given = {}) {
      const config = checkSettings(
        rules.name,
        defaults,
        limits,
        given,
        (message) => new ChunkConfigError(message),
      );
      return {
        scheduler: rules.name,
        config,
        clock: { seenMs: null, nowMs: 0 },
        nextChunkId: 1,
        flights: [],
        networks: [],
        waiting: [],
        memory: rules.start(config),
      };
    },
    decide(state, raw) {
      if (state.scheduler !== rules.name) {
        throw new ChunkConfigError(
          `the state belongs to scheduler "${state.scheduler}", not to "${rules.name}": start with initial()`,
        );
      }
      const observation = sanitizeObservation(raw);
      const seenMs = observation.nowMs;
      const stepMs = clamp(seenMs - (state.clock.seenMs ?? seenMs), 0, MAX_STEP_MS);
      const clock = { seenMs, nowMs: state.clock.nowMs + stepMs };
      const { seen, networks, waiting } = look(state, observation, clock.nowMs, stepMs);
      const verdict = rules.rule(state.memory, seen);
      const wishes = [...verdict.wishes, ...giveUps(seen)];
      const { actions, flights, nextChunkId } = settle(wishes, seen, state.nextChunkId);
      return {
        state: { ...state, clock, nextChunkId, flights, networks, waiting, memory: verdict.memory },
        actions,
        wakeMs: seenMs + clamp(verdict.wakeInMs, MIN_WAKE_MS, MAX_WAKE_MS),
        networks: beliefs(observation.networks, seen),
        reason: reasonLine(verdict.reason),
      };
    },
  };
}

function look<Memory, Config extends ChunkConfig>(
  state: SchedulerState<Memory, Config>,
  observation: SanitizedObservation,
  nowMs: number,
  stepMs: number,
): { seen: ChunkRuleInput<Config>; networks: NetworkTrack[]; waiting: WaitingObject[] } {
  const { config } = state;
  const found = stepFlights(state.flights, observation, nowMs);
  const followed = followWaiting(state.waiting, found, observation.objects);
  const before = markHeld(found, followed);
  const up = observation.networks.filter((network) => network.state === 'up');
  const stepped = up.map((observed): NetworkStep => {
    const { networkId } = observed;
    // A network that returns may be another one.
    const known =
      state.networks.find((track) => track.networkId === networkId) ?? newNetwork(networkId, nowMs);
    const own = before.filter(({ track }) => track.networkId === networkId);
    const after = stepNetwork(known, observed, own, { nowMs, stepMs, config });
    return { observed, before: known, after };
  });
  const waiting = findHeld(followed, stepped, nowMs, config);
  // Times from here on are of the scheduler's own clock.
  const onOwnClock = (atMs: number | undefined): number | undefined =>
    atMs === undefined ? undefined : atMs - observation.nowMs + nowMs;
  const steps = markHeld(before, waiting);
  const flights = steps.filter(({ ended }) => ended === undefined).map(({ track }) => track);
  const failed = steps.filter(({ ended }) => ended === 'failed').map(({ track }) => track);
  return {
    networks: stepped.map(({ after }) => after),
    waiting,
    seen: {
      config,
      nowMs,
      stepMs,
      failed,
      networks: stepped.map(({ observed, after }) => {
        const own = flights.filter(({ networkId }) => networkId === observed.networkId);
        const stepBytes = steps
          .filter(({ track }) => track.networkId === observed.networkId)
          .reduce((sum, { bytes }) => sum + bytes, 0);
        return { ...seeNetwork(observed, after, own, observation, config), stepBytes };
      }),
      objects: observation.objects.map((object) => ({
        ...object,
        neededAtMs: onOwnClock(object.neededAtMs),
        grownAtMs: onOwnClock(object.grownAtMs),
        flights: flights.filter(({ objectId }) => objectId === object.objectId),
        isWaiting: waiting.some(({ objectId }) => objectId === object.objectId),
      })),
    },
  };
}

/** Requests to cancel: their object is gone, or they deliver nothing for too long. */
function giveUps<Config extends ChunkConfig>({
  networks,
  objects,
  nowMs,
  config,
}: ChunkRuleInput<Config>): Wish[] {
  const wanted = new Set(objects.map(({ objectId }) => objectId));
  return networks
    .flatMap(({ flights }) => flights)
    .flatMap(({ chunkId, objectId, progressMs }): Wish[] => {
      if (!wanted.has(objectId)) {
        return [{ kind: 'cancel', chunkId, reason: 'nobody needs it any more' }];
      }
      if (nowMs - progressMs <= config.stuckMs) return [];
      return [{ kind: 'cancel', chunkId, reason: 'no byte for too long' }];
    });
}

function beliefs<Config>(
  observed: readonly ObservedNetwork[],
  seen: ChunkRuleInput<Config>,
): NetworkBelief[] {
  return observed.map(({ networkId }) => {
    const network = seen.networks.find((one) => one.networkId === networkId);
    if (network === undefined) return { networkId, health: 'out', rateBps: 0, rttMs: 0 };
    const { health } = network.track;
    const rateBps = health === 'healthy' ? network.rateBps : 0;
    return { networkId, health, rateBps, rttMs: network.rttMs };
  });
}
