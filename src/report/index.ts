export { renderReport, type ReportAssets, type ReportRun } from './render';
export { explainPaths, type PathExplanation } from './explain';
export type * from './results/types';
