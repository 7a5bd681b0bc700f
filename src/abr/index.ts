export type { AbandonConfig, SelectConfig } from './config';
export type { SegmentBytes } from './segment';
export * from './select';
export * from './abandon';
