export * from './agent';
export * from './carriage';
export * from './feed';
export * from './log';
