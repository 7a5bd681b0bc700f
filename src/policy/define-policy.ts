import {
  clamp,
  type PathId,
  type WantedPathState,
  checkSettings,
  reasonLine,
  type SettingLimits,
} from '../core';
import { bestPath } from './choose';
import { sanitizeObservation } from './sanitize';
import type { ObservedPath, PathObservation } from './observation';
import { PolicyConfigError, type Policy, type PolicyDecision } from './policy';

/** Input of a rule: the sanitized observation and a monotonic clock. */
export interface PathRuleInput<Config> {
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
export interface PolicyStep<Memory> {
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
  limits: SettingLimits<Config>;
  /**
   * State for a connecting path without an entry. Default `backup`. A rule that tries unknown paths wants it
   * `active` from its first packet. A costly path is a backup in any case.
   */
  newcomers?: 'active' | 'backup';
  /** The same for a lost path, for its return. Default `backup`. */
  returning?: 'active' | 'backup';
  /** Memory must be plain JSON data: no maps, no undefined, no NaN. */
  start(config: Config): Memory;
  rule(memory: Memory, seen: PathRuleInput<Config>): PolicyStep<Memory>;
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
const MAX_STEP_MS = 10_000;

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
      const config = checkSettings(
        rules.name,
        rules.defaults,
        rules.limits,
        given,
        (message) => new PolicyConfigError(message),
      );
      const clock = { seenMs: null, nowMs: 0 };
      return { policy: rules.name, config, clock, memory: rules.start(config) };
    },
    decide(state, raw) {
      if (state.policy !== rules.name) {
        throw new PolicyConfigError(
          `the state is of policy "${state.policy}": start with initial()`,
        );
      }
      const observation = sanitizeObservation(raw);
      const { monotonicMs, paths } = observation;
      const stepMs = clamp(monotonicMs - (state.clock.seenMs ?? monotonicMs), 0, MAX_STEP_MS);
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
  verdict: PolicyStep<unknown>,
  seen: PathRuleInput<Config>,
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
    reason = 'no network is alive';
  } else if (!seen.live.some(({ pathId }) => desired.get(pathId) === 'active')) {
    const kept = bestPath(seen.live);
    if (kept) desired.set(kept.pathId, 'active');
    reason = `kept ${kept?.pathId ?? ''}: no other network is left (${reason})`;
  }
  return { state, desired, reason: reasonLine(reason) };
}
