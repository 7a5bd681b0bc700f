export * from './network-events';
export * from './mptcp-events';
export * from './route-lookup';
export * from './socket-owners';
export * from './tunnel-watch';
export { loadNetlink, socketOptions, type EventsNote, type OnNote } from './netlink';
export * from './other-namespace';
