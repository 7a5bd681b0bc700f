export * from './transport';
export * from './transport-hub';
export * from './log-sink';
export * from './clock';
export * from './player';
export * from './path-control';
