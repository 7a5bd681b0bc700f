export { startGeneticRuns } from './kernel-runs';
export { streamInside } from './stream-inside';
export { watchInside } from './watch-film';
