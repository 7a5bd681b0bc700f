export * from './events';
export * from './summary-types';
export { createSummary, summarize, type SummaryBuilder } from './summarize';
