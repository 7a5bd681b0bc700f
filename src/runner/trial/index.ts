export { applyEvent } from './apply-event';
export { prepareTrials, runTrial } from './trial';
export { serverOptions, startPathUse } from './server-side';
export { startTimeline } from './timeline';
