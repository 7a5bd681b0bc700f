export * from './open-path-control';
