import type { PathId, WantedPathState } from '../core';
import { createPathEstimator, type PathEstimatorState } from '../estimate';
import type { LinkHistory } from './link-history';
import { checkBrainConfig, policyOf } from './config';
import { noErrors, type ForecastErrors } from './forecast-errors';
import { noSizes, type SegmentSizes } from './segment-sizes';
import type { PathHealth } from './path-health';
import type { BrainConfig } from './types';

/** The requested states of the paths, and the reason. */
export interface PathPlan {
  desired: readonly { pathId: PathId; desired: WantedPathState }[];
  reason: string;
}

/** The brain's complete state. Never changed in place. */
export interface BrainState {
  config: BrainConfig;
  /** Of the newest observation. */
  nowMs: number | undefined;
  estimator: PathEstimatorState;
  policy: object;
  plan: PathPlan;
  /** Time up to which the policy has received samples: it gets every interval once. */
  shownMs: number | undefined;
  /** Errors of the forecasts for the last video segments. */
  errors: ForecastErrors;
  /** Sizes of the video segments that were unknown before their requests. */
  sizes: SegmentSizes;
  health: readonly PathHealth[];
  links: readonly LinkHistory[];
  /** Begin of the viewer's wait for a picture. */
  waitingSinceMs: number | undefined;
  /** Of the last media segment that arrived. */
  segmentBytes: number | undefined;
  /** The path feed has ended. */
  feedEnded: boolean;
}

/** The state before any input. @throws PolicyConfigError on an unknown policy or setting */
export function createBrain(config: BrainConfig): BrainState {
  checkBrainConfig(config);
  return {
    config,
    nowMs: undefined,
    estimator: createPathEstimator(config.remembered),
    policy: policyOf(config).initial(),
    plan: { desired: [], reason: 'no network seen yet' },
    shownMs: undefined,
    errors: noErrors,
    sizes: noSizes,
    health: [],
    links: [],
    waitingSinceMs: undefined,
    segmentBytes: undefined,
    feedEnded: false,
  };
}
