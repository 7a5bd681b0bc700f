export * from './find-helper';
export * from './open-path-control';
export * from './shared-path-control';
