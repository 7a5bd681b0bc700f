export { openDirectConnections, toLiveSubflow } from './connections/direct-connections';
export * from './helper/find-helper';
export * from './open-path-control';
export * from './endpoints/own-endpoints';
export * from './path-manager-kind';
export * from './shared-path-control';
export * from './stream-endpoints';
