export * from './find-helper';
export * from './open-path-control';
export * from './own-endpoints';
export * from './shared-path-control';
