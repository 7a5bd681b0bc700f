export * from './events';
export * from './summary-types';
export { createSummary, summarize, type SummaryBuilder } from './summarize';
export { sessionMetrics } from './metrics';
export { readMetrics } from './metric-table';
export type * from './metric-types';
