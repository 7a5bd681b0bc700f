export { renderReport, type ReportRun } from './render';
export { type ReportAssets, htmlPage } from './page';
export { renderResults } from './results/render-results';
export { scenarioCharts } from './results/scenario-charts';
export { decisionText, explainDecisions, type DecisionLine } from './explain-decisions';
export { explainPaths, type PathExplanation } from './explain';
export type * from './results/types';
export { comparisonCsv, trialsCsv } from './results/csv';
export {
  parseNetworkLog,
  type NetworkLog,
  type NetworkSample,
  queueIntervals,
} from './results/network-log';
export { scenarioResults, type ScenarioInput } from './results/scenario-results';
export { networkMetrics, trafficMetrics } from './results/network-metrics';
export { indentedTable, terminalText, wrapped } from './results/terminal-table';
export { acrossText, resultsTable } from './results/text-table';
export { trialNumbers, type TrialLogs, type TrialNumbers } from './results/trial-metrics';
export { trialDistributions, trialSeries, type TrialDistributions } from './results/trial-series';
export type * from './results/results-data';
export { pufferCsv } from './results/export-puffer';
export { p1203Input, type P1203Input } from './results/export-p1203';
export { escapeHtml, table } from './html';
export { PAPER_STYLE } from './paper-style';
export * from './plot';
export { estimate, type Estimate } from './results/estimate';
