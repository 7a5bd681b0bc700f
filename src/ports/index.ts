export * from './transport';
export * from './log-sink';
export * from './clock';
export * from './player';
