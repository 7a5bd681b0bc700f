import { isOwnRule, OWN_ABR_NAMES, type NetworkWish } from '../core';
import { PolicyConfigError, createPolicy, type ConfiguredPolicy } from '../policy';
import type { BrainConfig } from './types';

/** The player's own policy. */
export const DEFAULT_POLICY = 'model';

/** The policy that keeps costly networks in reserve. */
export const METERED_POLICY = 'metered';

/** The player's own choice of a policy. */
export function ownPolicy(networks: readonly NetworkWish[], overRanges: boolean): string {
  if (networks.some(({ metered }) => metered === true)) return METERED_POLICY;
  // Over byte ranges no network blocks another one, and the chunk scheduler decides what each one carries.
  return overRanges ? 'all' : DEFAULT_POLICY;
}

/**
 * Creates the configured policy with its settings.
 * @throws PolicyConfigError on an unknown policy or setting
 */
export function policyOf(config: BrainConfig): ConfiguredPolicy {
  return createPolicy(config.policy, config.policyConfig ?? {});
}

/** Refuses an invalid configuration before playback. @throws PolicyConfigError */
export function checkBrainConfig(config: BrainConfig): BrainConfig {
  policyOf(config);
  const rules: string = config.abr;
  if (rules !== 'none' && !isOwnRule(rules)) {
    const known = [...OWN_ABR_NAMES, 'none'].join(' or ');
    throw new PolicyConfigError(`abr must be ${known}, got ${JSON.stringify(rules)}`);
  }
  return config;
}
