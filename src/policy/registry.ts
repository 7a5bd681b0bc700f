import type { PathObservation } from './observation';
import { optionalPolicies } from './optional-policies';
import { PolicyConfigError, type Policy, type PolicyDecision } from './policy';
import { ownPolicies } from './registry.generated';

/** The policies bundled with the player. */
export const policies: readonly Policy[] = [...ownPolicies, ...optionalPolicies];

/** A policy with its settings. */
export interface ConfiguredPolicy {
  readonly name: string;
  readonly summary: string;
  initial(): object;
  decide(state: object, observation: PathObservation): PolicyDecision<object>;
}

/**
 * Finds a policy by name and applies its settings, checked at once.
 * @param from the policies to search: `[...policies, mine]` adds a user-defined one.
 * @throws PolicyConfigError on an unknown name, an unknown setting or a value out of range.
 */
export function createPolicy(
  name: string,
  config: object = {},
  from: readonly Policy[] = policies,
): ConfiguredPolicy {
  const policy = from.find((candidate) => candidate.name === name);
  if (!policy) {
    const names = from.map((candidate) => candidate.name).join(', ');
    throw new PolicyConfigError(`there is no path policy "${name}"; choose one of: ${names}`);
  }
  const first = policy.initial(config);
  return {
    name: policy.name,
    summary: policy.summary,
    initial: () => first,
    decide: (state, observation) => policy.decide(state, observation),
  };
}
