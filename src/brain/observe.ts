import { carriedBytes, ledgerConfig } from '../core';
import { estimatorConfig, observeRequestEnd, observeRequestStart } from '../estimate';
import { checkBrainConfig, policyOf } from './config';
import {
  addError,
  beginSegment,
  countEarly,
  endSegment,
  errorConfig,
  expectedOf,
  forecastError,
  type ForecastErrors,
  type JudgedForecast,
} from './forecast-errors';
import { addSize } from './segment-sizes';
import type { BrainState } from './state';
import type { BrainConfig, RequestDone, RequestSent } from './types';

/** Takes a sent request. */
export function observeBrainRequestStart(state: BrainState, request: RequestSent): BrainState {
  const { mediaType, ...start } = request;
  const estimator = observeRequestStart(state.estimator, start);
  if (mediaType !== 'video') return { ...state, estimator };
  return { ...state, estimator, errors: beginSegment(state.errors, request.requestId) };
}

/** Takes the end of a request, with any outcome. */
export function observeBrainRequestEnd(state: BrainState, request: RequestDone): BrainState {
  const estimator = observeRequestEnd(state.estimator, request);
  const expected = expectedOf(state.errors, request.requestId);
  const judged = judgeForecast(state, request);
  // An encoder set the pace: that shows no error, and counts as a usual one. So errors of earlier minutes fade.
  const isPaced =
    expected !== undefined && request.mediaType === undefined && request.outcome === 'ok';
  const errors = endSegment(judgeAgain(state, request), request.requestId);
  const statedBytes = expected?.statedBytes;
  const isSized = statedBytes !== undefined && isVideo(request);
  return {
    ...state,
    estimator,
    sizes: isSized ? addSize(state.sizes, request.bytes, statedBytes) : state.sizes,
    errors: addError(errors, judged?.error ?? (isPaced ? errorConfig.first : NaN), judged),
    segmentBytes: isVideo(request) ? request.bytes : state.segmentBytes,
  };
}

/** The error of the forecast of a segment that arrived. Undefined where none was made, or the segment is too small. */
export function judgeForecast(
  { errors }: BrainState,
  request: RequestDone,
): JudgedForecast | undefined {
  const expected = expectedOf(errors, request.requestId);
  const bytes = carriedBytes(request);
  const isMeasured = bytes >= estimatorConfig.latencyBytes;
  if (expected === undefined || !isVideo(request) || !isMeasured) return undefined;
  const error = forecastError(expected, { ...request, bytes });
  if (!Number.isFinite(error)) return undefined;
  const { spread, pendingBytes } = expected;
  return { error, spread, bytes: bytes + pendingBytes, endMs: request.endMs };
}

/** The errors after a segment arrived, before that of its own forecast: the last one may be known better. */
export const judgeAgain = ({ errors }: BrainState, request: RequestDone): ForecastErrors =>
  isVideo(request) ? countEarly(errors, request) : errors;

/** A whole video segment, of a size that a network can have carried. */
const isVideo = ({ mediaType, outcome, bytes }: RequestDone): boolean =>
  mediaType === 'video' && outcome === 'ok' && bytes <= ledgerConfig.maxBytes;

/**
 * The viewer pinned a policy or marked a network, or the carriage changed. Learned values of the paths stay, and so do the
 * rates of earlier sessions. @throws PolicyConfigError
 */
export function configureBrain(state: BrainState, config: BrainConfig): BrainState {
  checkBrainConfig(config);
  const before = state.config;
  const samePolicy =
    before.policy === config.policy &&
    JSON.stringify(before.policyConfig ?? {}) === JSON.stringify(config.policyConfig ?? {});
  return {
    ...state,
    config: { ...config, remembered: before.remembered },
    policy: samePolicy ? state.policy : policyOf(config).initial(),
    shownMs: samePolicy ? state.shownMs : undefined,
  };
}
