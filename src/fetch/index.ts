export * from './address-space';
export * from './gateway-server';
export * from './network-fetcher';
export * from './mptcp-probe';
export type { SocketNative } from './bound-connect';
export type { ObjectRequest, ObjectSink } from './fetch-object';
export type { ResponseHead } from './exchange';
export type { NetworkTerms } from './network-terms';
export type { ObjectHandle } from './range-driver-options';
