export * from './fake-clock';
export * from './fake-path-control';
export * from './fake-transport';
export * from './memory-log-sink';
