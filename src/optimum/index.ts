export { pathCapacities } from './path-capacity';
export { volumeOf, type RateProfile as CapacityProfile } from './rate-profile';
export { optimumOver, sessionOptimum } from './session-optimum';
export type { SharedOptimum } from './share';
