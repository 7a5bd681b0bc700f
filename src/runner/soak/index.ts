export { soakFilm } from './network';
export { exceeded } from './record';
export type { SoakSample } from './sample';
export { runSoak } from './soak';
export { soakOutcome, soakStory, soakTable } from './table';
