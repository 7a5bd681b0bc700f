export { applyEvent, needsFaultyServer } from './apply-event';
export { prepareTrials, runTrial } from './trial';
export { startTimeline } from './timeline';
