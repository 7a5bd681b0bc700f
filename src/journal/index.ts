export {
  BrainJournal,
  BrainLogError,
  replayLog,
  type ReplayDifference,
  type ReplayResult,
} from './journal';
