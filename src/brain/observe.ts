import { ledgerConfig, type PathEvent, type SampleBatch } from '../core';
import { observePathEvent, observeRequestEnd, observeRequestStart, observeSamples } from '../paths';
import { atSampleTime } from './clock';
import { checkBrainConfig, policyOf } from './config';
import { followPaths, judgeSegment } from './guard';
import { isMetered } from './policy-input';
import { addError } from './rungs';
import type { BrainState } from './state';
import type { BrainConfig, RequestBegin, RequestDone } from './types';

/** Smaller answers tell latency, not throughput. */
const SMALL_BYTES = 50_000;

/** Samples of the paths, every 100 ms. */
export function observeBrainSamples(known: BrainState, batch: SampleBatch): BrainState {
  const state = atSampleTime(known, batch.monotonicMs);
  const estimator = observeSamples(state.estimator, batch);
  return { ...state, estimator, guard: followPaths(state.guard, estimator) };
}

/** Something happened to a path. Ask for a decision right after it. */
export function observeBrainPathEvent(state: BrainState, event: PathEvent): BrainState {
  return { ...state, estimator: observePathEvent(state.estimator, event) };
}

/** A request was sent. */
export function observeBrainRequestStart(state: BrainState, request: RequestBegin): BrainState {
  return { ...state, estimator: observeRequestStart(state.estimator, request) };
}

/** A request ended, in whatever way. */
export function observeBrainRequestEnd(state: BrainState, request: RequestDone): BrainState {
  const estimator = observeRequestEnd(state.estimator, request);
  const segment =
    request.mediaType !== undefined &&
    request.outcome === 'ok' &&
    request.bytes <= ledgerConfig.mostBytes;
  if (!segment) return { ...state, estimator };
  const guard = judgeSegment(state.guard, estimator, request, (id) => isMetered(state, id));
  if (request.mediaType !== 'video') return { ...state, estimator, guard };
  const ms = request.endMs - request.startMs;
  const actualBps = (request.bytes * 8000) / Math.max(1, ms);
  const errors =
    request.bytes >= SMALL_BYTES
      ? addError(state.errors, state.promisedBps ?? 0, actualBps)
      : state.errors;
  return {
    ...state,
    estimator,
    guard,
    errors,
    promisedBps: undefined,
    segmentBytes: request.bytes,
  };
}

/** The feed is gone for good: from now on the brain has no opinion. */
export function observeFeedEnd(state: BrainState): BrainState {
  return { ...state, feedEnded: true };
}

/** The viewer pinned a policy or marked a network. What was learned of the paths stays. @throws PolicyConfigError */
export function configureBrain(state: BrainState, config: BrainConfig): BrainState {
  checkBrainConfig(config);
  const before = state.config;
  const samePolicy =
    before.policy === config.policy &&
    JSON.stringify(before.policyConfig ?? {}) === JSON.stringify(config.policyConfig ?? {});
  return {
    ...state,
    config,
    policy: samePolicy ? state.policy : policyOf(config).initial(),
    shownMs: undefined,
  };
}
