export * from './network';
export * from './media';
export * from './prng';
