export { applyEvent, type EventTargets } from './apply-event';
export { checkMediaLength } from './prepare';
export { prepareTrials, runTrial } from './trial';
export { serverOptions, startPathUse } from './server-side';
export { startTimeline } from './timeline';
