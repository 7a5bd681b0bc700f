import { ledgerConfig, type PathEvent, type SampleBatch } from '../core';
import {
  observePathEvent,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
  type RequestStart,
} from '../estimate';
import { atSampleTime } from './clock';
import { checkBrainConfig, policyOf } from './config';
import { addError, forecastError, takeExpected } from './forecast-errors';
import type { BrainState } from './state';
import type { BrainConfig, RequestDone } from './types';

/** Smaller answers measure latency, not throughput. */
export const MEASURED_BYTES = 50_000;

/** Samples of the paths, every 100 ms. */
export function observeBrainSamples(known: BrainState, batch: SampleBatch): BrainState {
  const state = atSampleTime(known, batch.monotonicMs);
  const estimator = observeSamples(state.estimator, batch);
  return { ...state, estimator };
}

/** Takes an event of a path. Request a decision right after it. */
export function observeBrainPathEvent(state: BrainState, event: PathEvent): BrainState {
  return { ...state, estimator: observePathEvent(state.estimator, event) };
}

/** Takes a sent request. */
export function observeBrainRequestStart(state: BrainState, request: RequestStart): BrainState {
  return { ...state, estimator: observeRequestStart(state.estimator, request) };
}

/** Takes the end of a request, with any outcome. */
export function observeBrainRequestEnd(state: BrainState, request: RequestDone): BrainState {
  const estimator = observeRequestEnd(state.estimator, request);
  const { mediaType, outcome, bytes } = request;
  if (mediaType !== 'video' || outcome !== 'ok' || bytes > ledgerConfig.mostBytes) {
    return { ...state, estimator };
  }
  const { errors, expected } = takeExpected(state.errors, request.startMs);
  const isError = expected !== undefined && bytes >= MEASURED_BYTES;
  return {
    ...state,
    estimator,
    errors: isError ? addError(errors, forecastError(expected, request)) : errors,
    segmentBytes: bytes,
  };
}

/** The feed has ended for good: from now on the brain makes no decisions. */
export function observeFeedEnd(state: BrainState): BrainState {
  return { ...state, feedEnded: true };
}

/**
 * The viewer pinned a policy or marked a network. Learned values of the paths stay. @throws PolicyConfigError
 */
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
