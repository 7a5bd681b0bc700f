export * from './find-helper';
export * from './open-path-control';
export * from './own-endpoints';
export * from './path-manager-kind';
export * from './shared-path-control';
