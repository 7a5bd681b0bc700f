import { isOwnRule, OWN_ABR_NAMES } from '../core';
import { PolicyConfigError, createPolicy, type ConfiguredPolicy } from '../policy';
import type { BrainConfig } from './types';

/** The player's own policy. */
export const DEFAULT_POLICY = 'model';

/** The policy that keeps costly networks in reserve. */
export const METERED_POLICY = 'metered';

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
    const known = [...OWN_ABR_NAMES, 'none'].map((name) => `"${name}"`).join(' or ');
    throw new PolicyConfigError(`abr must be ${known}, got ${JSON.stringify(rules)}`);
  }
  return config;
}
