import type * as netlink from 'netlink';

/** The package, which has a native part of its own and may be missing: loaded only here. */
export type Netlink = typeof netlink;

/** Why events of the kernel are missing; everything else goes on without them. */
export interface EventsNote {
  code: 'EVENTS_UNAVAILABLE' | 'EVENTS_DENIED' | 'EVENTS_OVERRUN';
  message: string;
}

export type OnNote = (note: EventsNote) => void;

export async function loadNetlink(): Promise<Netlink> {
  return import('netlink');
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Room for a burst of events, such as a whole routing table that changes. */
export const socketOptions = { ref: false, recvBufferSize: 1 << 20, sendBufferSize: 1 << 16 };
