export * from './abandon';
export { bufferValue } from './buffer-value';
export * from './plan';
export { planConfig } from './plan-states';
export { stallWeightOf } from './stall-price';
export { chainConfig } from './rate-chain';
export { describeBuffer, describeForecast } from './describe';
export * from './observation';
export * from './abr-rule';
export { reservedBps } from './reserve';
export { pendingVideo, segmentDurationMs, statedVideoBytes } from './segment';
export { findAbrRule } from './registry';
export {
  harmonicMean,
  highestBelow,
  type ReferenceObservation,
  type ReferenceRule,
} from './reference/observation';
export { observeForReference } from './reference/observe';
export { robustMpc } from './reference/robust-mpc';
export { referenceRules } from './reference/rules';
