export type * from './types';
export { experiments } from './registry';
export { readAxis, SweepError, type Axis } from './sweep/axis';
export { sweepColumns, type Column, type SweepJob, type SweepRow } from './sweep/columns';
export { planSweep, type Shard } from './sweep/plan';
export { sweepPoints, type Point } from './sweep/points';
export {
  isCongestion,
  isScheduler,
  sessionMetrics,
  type SessionMetrics,
} from './sweep/session-row';
export { sweepSummary } from './sweep/summary';
export { DEFAULT_PLAYERS, readPlayers } from './sweep/sweep-player';
