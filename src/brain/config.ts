import { PolicyConfigError, createPolicy, type ConfiguredPolicy } from '../paths';
import type { BrainConfig } from './types';

/** The player's own policy. */
export const DEFAULT_POLICY = 'model';

/** The policy that keeps costly networks for when they are needed. */
export const METERED_POLICY = 'metered';

/**
 * The policy a configuration names, with its settings.
 * @throws PolicyConfigError on an unknown policy or setting
 */
export function policyOf(config: BrainConfig): ConfiguredPolicy {
  return createPolicy(config.policy, config.policyConfig ?? {});
}

/** Refuses what nothing can work with, before anything plays. @throws PolicyConfigError */
export function checkBrainConfig(config: BrainConfig): BrainConfig {
  policyOf(config);
  const rules: string = config.abr;
  if (rules !== 'multipath' && rules !== 'none') {
    throw new PolicyConfigError(`abr must be "multipath" or "none", got ${JSON.stringify(rules)}`);
  }
  return config;
}
