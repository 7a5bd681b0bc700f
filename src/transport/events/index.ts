export * from './network-events';
export * from './mptcp-events';
export * from './route-lookup';
export type { EventsNote } from './netlink';
export * from './other-namespace';
