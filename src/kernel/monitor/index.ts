export * from './subflow-monitor';
export * from './snapshot-source';
export * from './process-sockets';
export type { Lookup } from './origin-resolver';
