export { carriedLanes, readLanes, type Lanes } from './lanes';
export { planTrials } from './plan';
export { builtAssets, writeResults } from './results';
export { finishedTrial, makeRunFolder } from './resume';
export { readRun, runFolders } from './run-record';
export { MEDIA_FILE, playTrialApart, trialInside } from './run-trial';
export { readTrial } from './run-folder';
export { run, type RunOptions } from './run';
