export type { AbandonConfig } from './config';
export type { SegmentBytes } from './segment';
export * from './abandon';
export * from './plan';
export { selectAudio } from './audio';
export { describeBuffer, describeForecast } from './describe';
export { segmentBytes } from './segment';
