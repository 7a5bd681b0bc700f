export type { AbandonConfig, SelectConfig } from './config';
export type { SegmentBytes } from './segment';
export * from './select';
export * from './abandon';
export * from './plan';
export { selectAudio } from './audio';
export { describeBuffer, describeForecast } from './describe';
export { segmentBytes } from './segment';
