export * from './config';
export {
  createPathEstimator,
  type PathEstimatorState,
  type PathState,
  type PathTrack,
  type RememberedPath,
} from './state';
export { observeSamples } from './observe-samples';
export { observePathEvent } from './observe-path-event';
export {
  observeRequestStart,
  observeRequestEnd,
  type RequestStart,
  type RequestEnd,
} from './observe-requests';
export { learnedSets, setEfficiency } from './efficiency';
export { predictGoodput, type LearnedSet, type SetForecast } from './goodput';
export { observedRate } from './observed-rate';
export { memorablePaths } from './remembered';
export { feedIsLive, forecast } from './forecast';
export * from './policies/observation';
export * from './policies/policy';
export { definePolicy } from './policies/define-policy';
export { createPolicy, policies, type ConfiguredPolicy } from './policies/registry';
export {
  searchGenetically,
  type Chromosome,
  type GeneticSearchConfig,
  type SearchSpace,
} from './policies/genetic-search';
export { isDormant, isQuiet, isSilent } from './usable';
