import { createAbandonState, type AbandonState } from '../abr';
import type { MediaType, PathId } from '../core';
import { createPathEstimator, type DesiredState, type PathEstimatorState } from '../paths';
import { checkBrainConfig, policyOf } from './config';
import type { Silence } from './dead';
import { idleGuard, type GuardState } from './guard';
import type { Reliability } from './reliability';
import type { ForecastErrors } from './rungs';
import type { BrainConfig } from './types';

/** What paths were asked to be, and why. */
export interface PathPlan {
  desired: readonly { pathId: PathId; desired: DesiredState }[];
  reason: string;
}

/** Everything the brain knows. Never changed in place. */
export interface BrainState {
  config: BrainConfig;
  /** Of the newest observation. */
  nowMs: number | undefined;
  estimator: PathEstimatorState;
  policy: object;
  plan: PathPlan;
  /** Samples the policy has been shown: it sees every interval once. */
  shownMs: number | undefined;
  /** How far forecasts were too high for the last video segments. */
  errors: ForecastErrors;
  /** What the forecast said when the last video segment was chosen. */
  promisedBps: number | undefined;
  abandon: Readonly<Record<MediaType, AbandonState>>;
  guard: GuardState;
  reliability: readonly Reliability[];
  silence: readonly Silence[];
  /** Of the last media segment that arrived. */
  segmentBytes: number | undefined;
  /** Nothing watches the paths any more. */
  feedEnded: boolean;
}

/** The state before anything was seen. @throws PolicyConfigError on an unknown policy or setting */
export function createBrain(config: BrainConfig): BrainState {
  checkBrainConfig(config);
  return {
    config,
    nowMs: undefined,
    estimator: createPathEstimator(config.estimator, config.remembered),
    policy: policyOf(config).initial(),
    plan: { desired: [], reason: 'no network seen yet' },
    shownMs: undefined,
    errors: [],
    promisedBps: undefined,
    abandon: { video: createAbandonState(), audio: createAbandonState() },
    guard: idleGuard,
    reliability: [],
    silence: [],
    segmentBytes: undefined,
    feedEnded: false,
  };
}
