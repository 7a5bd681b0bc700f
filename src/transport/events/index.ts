export * from './network-events';
export * from './mptcp-events';
export type { EventsNote } from './netlink';
export * from './other-namespace';
