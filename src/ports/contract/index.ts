export * from './transport-contract';
export * from './path-control-contract';
