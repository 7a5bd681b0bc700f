export * from './network-events';
export * from './mptcp-events';
export type { EventsNote, OnNote } from './netlink';
export * from './other-namespace';
