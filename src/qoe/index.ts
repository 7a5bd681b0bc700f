export * from './events';
export * from './summary-types';
export { createSummary, summarize, type SummaryBuilder } from './summarize';
export { sessionMetrics } from './metrics';
export type * from './metric-types';
