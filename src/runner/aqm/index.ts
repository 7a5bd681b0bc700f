export { startAqmRuns } from './aqm-runs';
