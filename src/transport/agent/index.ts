export * from './agent';
