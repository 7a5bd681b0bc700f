export * from './config';
export type { PathState } from '../core';
export {
  createPathEstimator,
  isPaced,
  type PathEstimatorState,
  type PathTrack,
  type RememberedPath,
  type RequestStart,
} from './state';
export { observeSamples } from './observe-samples';
export { observePathEvent } from './observe-path-event';
export { observeRequestStart, observeRequestEnd, type RequestEnd } from './observe-requests';
export { predictGoodput, type SetForecast } from './goodput';
export { observedRate } from './path-rate';
export { memorablePaths } from './remembered';
export { feedIsLive, forecast, forecastOfSet } from './forecast';
export { blocksStream, isDormant } from './usable';
