export * from './limits';
export * from './feed-schema';
export * from './log-schema';
export * from './agent-protocol';
export * from './app-schema';
