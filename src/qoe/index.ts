export * from './rung-of-request';
export type { RangeBytes } from './range-bytes';
export * from './summary-types';
export { StallTime } from './stall-time';
export { createSummary, summarize } from './summarize';
export * from './define-metric';
export { sessionMetrics } from './metrics';
export type * from './metric-types';
