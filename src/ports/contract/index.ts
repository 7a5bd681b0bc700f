export * from './transport-contract';
