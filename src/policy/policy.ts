import type { PathId, WantedPathState } from '../core';
import type { PathObservation } from './observation';

export interface PolicyDecision<State> {
  state: State;
  /** One entry for every path of the observation, and no other. */
  desired: ReadonlyMap<PathId, WantedPathState>;
  /** One line that a viewer understands. */
  reason: string;
}

/**
 * Decides which paths carry the stream. Pure: the same state and observation give the same decision.
 * While a path is alive (`active` or `backup`), at least one living path is desired `active`.
 */
export interface Policy<State = object, Config = object> {
  readonly name: string;
  /** One line for a list to choose from. */
  readonly summary: string;
  /**
   * The state before the first observation, its settings included: plain JSON data.
   * @throws PolicyConfigError on an unknown setting or a value out of range.
   */
  initial(config?: Partial<Config>): State;
  decide(state: State, observation: PathObservation): PolicyDecision<State>;
}

/** An invalid setting. The message names it and the permitted range. */
export class PolicyConfigError extends Error {
  override readonly name = 'PolicyConfigError';
}
