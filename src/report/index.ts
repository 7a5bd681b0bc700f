export { renderReport, type ReportRun } from './render';
export type { ReportAssets } from './page';
export { renderResults } from './results/render-results';
export { scenarioCharts } from './results/scenario-charts';
export {
  carriedText,
  decisionText,
  explainDecisions,
  type DecisionLine,
} from './explain-decisions';
export { explainPaths, type PathExplanation } from './explain';
export type * from './results/types';
export { comparisonCsv, csvText, trialsCsv } from './results/csv';
export { parseNetworkLog, type NetworkLog, type NetworkSample } from './results/network-log';
export { scenarioResults, type ScenarioInput } from './results/scenario-results';
export { resultsTable } from './results/text-table';
export { trialNumbers, type TrialLogs, type TrialNumbers } from './results/trial-metrics';
export { trialDistributions, trialSeries, type TrialDistributions } from './results/trial-series';
export type * from './results/results-data';
export { pufferCsv } from './results/export-puffer';
export { p1203Input, type P1203Input } from './results/export-p1203';
export { aqmReport, AQM_TARGETS_MS, type AqmExtras } from './aqm/report';
export { aqmText } from './aqm/text';
export { renderAqm } from './aqm/page';
export { scenarioName, type Discipline } from './aqm/cells';
export { delaySeries, type QueueLog } from './aqm/delay-series';
export type { AqmReport, DelaySeries } from './aqm/types';
