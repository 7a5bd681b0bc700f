export { startDecisionRuns } from './decision-runs';
