export type * from './types';
export { checkBrainConfig, defaultBrainConfig, DEFAULT_POLICY } from './config';
export { createBrain, type BrainState } from './state';
export {
  configureBrain,
  observeBrainPathEvent,
  observeBrainRequestEnd,
  observeBrainRequestStart,
  observeBrainSamples,
  observeFeedEnd,
} from './observe';
export { decide } from './decide';
export { replay, stepBrain } from './replay';

export {
  BrainJournal,
  BrainLogError,
  replayLog,
  type ReplayDifference,
  type ReplayResult,
} from './journal';
