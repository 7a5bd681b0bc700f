export * from './fake-clock';
export * from './fake-transport';
export * from './memory-log-sink';
