export { carriedLanes, readLanes, type Lanes } from './lanes';
export { LabSessions } from './lab-sessions';
export { planTrials } from './plan';
export { runFolders, runsIn } from './run-record';
export { builtAssets, writeResults } from './results';
export { makeRunFolder } from './resume';
export { trialInside } from './run-trial';
export { run } from './run';
export type { RunOptions } from './run-jobs';
