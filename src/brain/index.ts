export type * from './types';
export { DEFAULT_POLICY, METERED_POLICY } from './config';
export { createBrain, type BrainState } from './state';
export { replay, stepBrain } from './replay';

export {
  BrainJournal,
  BrainLogError,
  replayLog,
  type ReplayDifference,
  type ReplayResult,
} from './journal';
