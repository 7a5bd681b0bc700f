export {
  bestQoe,
  DEFAULT_OPTIMUM_OPTIONS,
  type Optimum,
  type OptimumOptions,
  type OptimumProblem,
} from './best-qoe';
export { linkCapacity, lossShare, type CapacityOptions } from './link-capacity';
export { pathCapacities, type PathCapacities } from './path-capacity';
export { combineProfiles, volumeOf, type RateProfile, type Volume } from './rate-profile';
export { sessionOptimum, type PlayedSession } from './session-optimum';
export type { SharedOptimum } from './share';
