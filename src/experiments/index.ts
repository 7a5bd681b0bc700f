export type * from './types';
export { experiments } from './registry';
