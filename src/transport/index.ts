export * from './agent';
export * from './codec';
export * from './events';
export * from './feed';
export * from './log';
export * from './monitor';
export * from './monotonic-clock';
export * from './native';
