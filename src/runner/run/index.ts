export { readLanes, type Lanes } from './lanes';
export { planTrials } from './plan';
export { builtAssets, writeResults } from './results';
export { finishedTrial } from './resume';
export { readRun, runFolders } from './run-record';
export { trialInside } from './run-trial';
export { run, type RunOptions } from './run';
