export * from './codec';
export * from './events';
export * from './monitor';
export * from './monotonic-clock';
export * from './mptcp-launch';
export * from './mptcp-suspension';
export * from './native';
export * from './tunnel';
