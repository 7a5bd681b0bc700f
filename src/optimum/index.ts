export type { OptimumOptions } from './best-qoe';
export { pathCapacities } from './path-capacity';
export type { RateProfile as CapacityProfile } from './rate-profile';
export { optimumOver, sessionOptimum, type PlayedSession } from './session-optimum';
export type { SharedOptimum } from './share';
