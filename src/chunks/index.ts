export * from './types';
export { createChunkScheduler, type ConfiguredChunkScheduler } from './registry';
export { normalizeRanges, totalBytes } from './byte-ranges';
export { compareByNeed, isSmallObject, type OrderedObject } from './object-order';
export { FAR_RTT_MS, GUESS_MARGIN, isBehind, LONG_PATH } from './seen';
