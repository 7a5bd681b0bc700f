export { soakFilm } from './network';
export { exceeded } from './record';
export type { SoakSample } from './sample';
export { runSoak } from './soak';
export { isUnjudged, soakOutcome, soakStory, soakTable } from './table';
