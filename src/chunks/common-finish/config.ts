import type { SettingLimits } from '../../core';
import type { ChunkConfig } from '../config';

/**
 * Settings of `common-finish` in addition to those of every scheduler. Chosen on the training walks 1 to 12; none
 * is measured alone.
 */
export interface CommonFinishConfig extends ChunkConfig {
  /** Least share of its remaining time that a late request must save to be shared. Example: 0.5. */
  stealGain: number;
  /** Least time that it must save. Example: 300 ms. */
  stealGainMs: number;
  /** An object that is complete this long before its deadline is not late. Example: 2 s. */
  safetyMs: number;
  /** A costly network starts this long before the last moment at which it can save a deadline. Example: 2 s. */
  costlyLeadMs: number;
}

export type OwnConfig = Omit<CommonFinishConfig, keyof ChunkConfig>;

export const ownDefaults: OwnConfig = {
  stealGain: 0.5,
  stealGainMs: 300,
  safetyMs: 2000,
  costlyLeadMs: 2000,
};

export const ownLimits: SettingLimits<OwnConfig> = {
  stealGain: [0, 1],
  stealGainMs: [0, 60_000],
  safetyMs: [0, 1e6],
  costlyLeadMs: [0, 1e6],
};
