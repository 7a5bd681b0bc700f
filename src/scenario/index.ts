export * from './link-spec';
export * from './types';
export * from './run';
