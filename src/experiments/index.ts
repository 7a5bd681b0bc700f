export type * from './types';
export { withSimulatedReasons } from './explain';
export { experiments, kernelExperiments } from './registry';
export type { CcJob, CcOutcome } from './cc/job';
export { ccKernelExperiment, KERNEL_CONTROLS, kernelControl } from './cc/kernel';
export { kernelOutcome, type KernelSample, type LinkCount } from './cc/kernel-outcome';
export { ControllerView, READ_MS } from './genetic/controller-view';
export type { ClientOutcome, StreamOutcome } from './genetic/jobs';
export { geneticKernelExperiment, type GeneticKernelJob } from './genetic/kernel';
export { patienceMs, streamSetUp, SUBFLOWS, type StreamSetUp } from './genetic/set-up';
export { QUEUE_PACKETS } from './genetic/switch-network';
export type { SwitchPath } from './genetic/switch-paths';
export { Viewer, type Watched } from './genetic/viewer';
export { sessionOutcome } from './mptcp-plus/session-outcome';
export { stickyKernelOutcome } from './sticky/kernel-job';
export { readAxis, SweepError, type Axis } from './sweep/axis';
export { sweepColumns, type Column, type SweepJob, type SweepRow } from './sweep/columns';
export { planSweep, type Shard } from './sweep/plan';
export { sweepPoints, type SweepPoint } from './sweep/points';
export {
  congestionNames,
  isCongestion,
  isScheduler,
  schedulerNames,
  sessionMetrics,
  type SessionMetrics,
} from './sweep/session-row';
export { simulationProblems } from './sweep/simulation-problems';
export { sweepSummary } from './sweep/summary';
export { DEFAULT_PLAYERS, readPlayers } from './sweep/sweep-player';
export { queueSeconds } from './aqm/delay-series';
export type { AqmJob, AqmOutcome } from './aqm/job';
export type { DecisionsJob, DecisionsOutcome } from './decisions/job';
export { drawPairs, PAIR_KINDS, type PairSet } from './validation/pairs';
export { pairFiles } from './validation/pair-files';
export { pairScenario, type PairScenario } from './validation/networks';
export { renderExperiment } from './report/page';
export { experimentPicture } from './report/picture';
export { pictureFile, resultsSection } from './report/results-section';
export { experimentText } from './report/text';
export type { ExperimentRun } from './report/types';
