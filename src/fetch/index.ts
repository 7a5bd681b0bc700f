export * from './address-space';
export * from './gateway-server';
export * from './network-fetcher';
export * from './parse-url';
export * from './request-guard';
export * from './mptcp-probe';
export * from './quiet-server';
export { ASKS_TO_WAIT } from './origin-book';
export type { SocketNative } from './bound-connect';
