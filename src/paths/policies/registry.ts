import { allPolicy } from './all';
import { geneticPolicy } from './genetic';
import { meteredPolicy } from './metered';
import { modelPolicy } from './model';
import { pathUseDecisionPolicy } from './path-use-decision';
import type { PathObservation } from './observation';
import { PolicyConfigError, type Policy, type PolicyDecision } from './policy';
import { singleBestPolicy } from './single-best';
import { stickyGreedyPolicy } from './sticky-greedy';
import { stickyThroughputPolicy } from './sticky-throughput';
import { stickyThroughputRttPolicy } from './sticky-throughput-rtt';

/** The policies that come with the player. */
export const policies: readonly Policy[] = [
  allPolicy,
  singleBestPolicy,
  pathUseDecisionPolicy,
  stickyGreedyPolicy,
  stickyThroughputPolicy,
  stickyThroughputRttPolicy,
  geneticPolicy,
  modelPolicy,
  meteredPolicy,
];

/** A policy with its settings. */
export interface ConfiguredPolicy {
  readonly name: string;
  readonly summary: string;
  initial(): object;
  decide(state: object, observation: PathObservation): PolicyDecision<object>;
}

/**
 * Looks a policy up by name and gives it its settings, checked at once.
 * @param from where to look: `[...policies, mine]` adds one's own.
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
