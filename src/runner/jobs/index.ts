export { checkResumeAlone, runJobFolder, type FinishedJobs, type JobsOptions } from './job-folder';
export { RECORD_FILE } from './job-record';
export { keptFile, keptOutcomes, readKept } from './kept-file';
export { outcomesOf, runFacts } from './outcomes';
export type { SimulationRequest } from './simulate';
export { startWorkers, type Workers } from './worker-pool';
