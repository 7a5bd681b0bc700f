import { clamp, type PathId } from '../../core';
import { bestPath } from './choose';
import { cleanObservation } from './clean';
import type { ObservedPath, PathObservation } from './observation';
import { PolicyConfigError, type DesiredState, type Policy, type PolicyDecision } from './policy';

/** Allowed range, ends included, of every numeric setting. */
export type ConfigLimits<Config> = {
  readonly [Key in keyof Config as Config[Key] extends boolean ? never : Key]: readonly [
    low: number,
    high: number,
  ];
};

/** What a rule decides from: the observation made safe, and a clock of its own. */
export interface Seen<Config> {
  config: Config;
  observation: PathObservation;
  paths: readonly ObservedPath[];
  /** Paths that could carry data at once: `active` or `backup`. */
  live: readonly ObservedPath[];
  /** Time since the first observation; a clock that jumps moves it by 10 s at most, never back. */
  nowMs: number;
  /** Since the observation before; 0 for the first. */
  stepMs: number;
}

/** What a rule says. A path it does not name becomes a backup. */
export interface Verdict<Memory> {
  memory: Memory;
  active: readonly PathId[];
  closed?: readonly PathId[];
  reason: string;
}

/** The part of a policy that is its own. */
export interface PolicyRules<Memory, Config extends object> {
  name: string;
  summary: string;
  defaults: Config;
  limits: ConfigLimits<Config>;
  /**
   * What a path is to be that is still connecting and that the rule does not name. Default `backup`; a rule that tries
   * unknown paths wants it `active` from its first packet. One that costs money is a backup all the same.
   */
  newcomers?: 'active' | 'backup';
  /** The same for a path that is lost, for when it comes back. Default `backup`. */
  returning?: 'active' | 'backup';
  /** Memory must be plain JSON data: no maps, no undefined, no NaN. */
  start(config: Config): Memory;
  rule(memory: Memory, seen: Seen<Config>): Verdict<Memory>;
}

/** State of a policy made by `definePolicy`. */
export interface PolicyState<Memory, Config> {
  policy: string;
  config: Config;
  clock: { seenMs: number | null; nowMs: number };
  memory: Memory;
}

const longestStepMs = 10_000;
const longestReason = 300;

/**
 * Makes a policy out of a rule. The rule sees clean numbers only, and what it says is kept within bounds:
 * every known path gets a state, no other one does, and some living path is always active.
 */
export function definePolicy<Memory, Config extends object>(
  rules: PolicyRules<Memory, Config>,
): Policy<PolicyState<Memory, Config>, Config> {
  return {
    name: rules.name,
    summary: rules.summary,
    initial(given = {}) {
      const config = checkConfig(rules, given);
      const clock = { seenMs: null, nowMs: 0 };
      return { policy: rules.name, config, clock, memory: rules.start(config) };
    },
    decide(state, raw) {
      if (state.policy !== rules.name) {
        throw new PolicyConfigError(
          `the state belongs to policy "${state.policy}", not to "${rules.name}": start with initial()`,
        );
      }
      const observation = cleanObservation(raw);
      const { monotonicMs, paths } = observation;
      const stepMs = clamp(monotonicMs - (state.clock.seenMs ?? monotonicMs), 0, longestStepMs);
      const nowMs = state.clock.nowMs + stepMs;
      const live = paths.filter((path) => path.state === 'active' || path.state === 'backup');
      const { config } = state;
      const seen = { config, observation, paths, live, nowMs, stepMs };
      const verdict = rules.rule(state.memory, seen);
      const clock = { seenMs: monotonicMs, nowMs };
      return settle({ ...state, clock, memory: verdict.memory }, verdict, seen, rules);
    },
  };
}

/** Turns what the rule said into a decision that leaves the stream a path. */
function settle<State, Config>(
  state: State,
  verdict: Verdict<unknown>,
  seen: Seen<Config>,
  unnamed: Pick<PolicyRules<unknown, object>, 'newcomers' | 'returning'>,
): PolicyDecision<State> {
  const closed = new Set(verdict.closed);
  const active = new Set(verdict.active);
  const desired = new Map<PathId, DesiredState>();
  for (const path of seen.paths) {
    const { pathId } = path;
    const wish = path.state === 'connecting' ? unnamed.newcomers : unnamed.returning;
    const rest = seen.live.includes(path) || path.metered ? 'backup' : (wish ?? 'backup');
    desired.set(pathId, active.has(pathId) ? 'active' : closed.has(pathId) ? 'closed' : rest);
  }
  let { reason } = verdict;
  if (seen.live.length === 0) {
    for (const { pathId } of seen.paths) desired.set(pathId, 'active');
    reason = 'no network is alive: the first that comes back is used';
  } else if (!seen.live.some(({ pathId }) => desired.get(pathId) === 'active')) {
    const kept = bestPath(seen.live);
    if (kept) desired.set(kept.pathId, 'active');
    reason = `kept ${kept?.pathId ?? ''}: no other network is left (${reason})`;
  }
  // Names come from the system: whatever is in them, a reason is one line.
  const line = reason.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, longestReason);
  return { state, desired, reason: line };
}

function checkConfig<Memory, Config extends object>(
  { name, defaults, limits }: PolicyRules<Memory, Config>,
  given: Partial<Config>,
): Config {
  const ranges = new Map(Object.entries<readonly [number, number]>(limits));
  const expected = new Map(Object.entries<unknown>(defaults as Record<string, unknown>));
  for (const [key, value] of Object.entries<unknown>(given as Record<string, unknown>)) {
    if (!expected.has(key)) {
      const settings = [...expected.keys()].join(', ') || 'none';
      throw new PolicyConfigError(`${name}: unknown setting "${key}"; there are: ${settings}`);
    }
    const range = ranges.get(key);
    if (value === undefined || (value === null && expected.get(key) === null)) continue;
    if (!range) {
      if (typeof value === 'boolean') continue;
      throw new PolicyConfigError(
        `${name}: ${key} must be true or false, got ${JSON.stringify(value)}`,
      );
    }
    const [low, high] = range;
    if (typeof value !== 'number' || !(value >= low && value <= high)) {
      throw new PolicyConfigError(
        `${name}: ${key} must be a number from ${low} to ${high}, got ${JSON.stringify(value)}`,
      );
    }
  }
  const set = Object.entries<unknown>(given as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );
  return { ...defaults, ...(Object.fromEntries(set) as Partial<Config>) };
}
