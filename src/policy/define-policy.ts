import { clamp, type PathId, type WantedPathState } from '../core';
import { bestPath } from './choose';
import { sanitizeObservation } from './sanitize';
import type { ObservedPath, PathObservation } from './observation';
import { PolicyConfigError, type Policy, type PolicyDecision } from './policy';

/** Allowed range, ends included, of every numeric setting. */
export type ConfigLimits<Config> = {
  readonly [Key in keyof Config as Config[Key] extends boolean ? never : Key]: readonly [
    low: number,
    high: number,
  ];
};

/** Input of a rule: the sanitized observation and a monotonic clock. */
export interface Seen<Config> {
  config: Config;
  observation: PathObservation;
  paths: readonly ObservedPath[];
  /** Paths that could carry data at once: `active` or `backup`. */
  live: readonly ObservedPath[];
  /** Time since the first observation. A clock jump moves it by 10 s at most, never back. */
  nowMs: number;
  /** Time since the previous observation. 0 for the first. */
  stepMs: number;
}

/** Result of a rule. A path without an entry becomes a backup. */
export interface Verdict<Memory> {
  memory: Memory;
  active: readonly PathId[];
  closed?: readonly PathId[];
  reason: string;
}

/** The part that a policy defines itself. */
export interface PolicyRules<Memory, Config extends object> {
  name: string;
  summary: string;
  defaults: Config;
  limits: ConfigLimits<Config>;
  /**
   * State for a connecting path without an entry. Default `backup`. A rule that tries unknown paths wants it
   * `active` from its first packet. A costly path is a backup in any case.
   */
  newcomers?: 'active' | 'backup';
  /** The same for a lost path, for its return. Default `backup`. */
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

/**
 * A longer time between two observations counts as this: the clock jumped, or the machine slept. Chosen; no
 * measurement.
 */
const LONGEST_STEP_MS = 10_000;
/** Characters of a reason. Chosen; no measurement. */
const LONGEST_REASON = 300;

/**
 * Makes a policy out of a rule. The rule sees sanitized numbers only. Its result is bounded: every known path
 * gets a state, no other one does, and some living path is always active.
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
      const observation = sanitizeObservation(raw);
      const { monotonicMs, paths } = observation;
      const stepMs = clamp(monotonicMs - (state.clock.seenMs ?? monotonicMs), 0, LONGEST_STEP_MS);
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

/** Turns the rule's result into a decision that leaves the stream a path. */
function settle<State, Config>(
  state: State,
  verdict: Verdict<unknown>,
  seen: Seen<Config>,
  unnamed: Pick<PolicyRules<unknown, object>, 'newcomers' | 'returning'>,
): PolicyDecision<State> {
  const closed = new Set(verdict.closed);
  const active = new Set(verdict.active);
  const desired = new Map<PathId, WantedPathState>();
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
  // Names come from the system. A reason is one line, whatever they contain.
  const line = reason.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, LONGEST_REASON);
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
