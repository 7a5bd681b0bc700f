export type { OptimumOptions } from './best-qoe';
export { sessionOptimum, type PlayedSession } from './session-optimum';
export type { SharedOptimum } from './share';
