import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type * as netlink from 'netlink';
import { packageRootAbove } from '../native/package-root';

/** The package has a native part and may be missing, so only this file loads it. */
export type Netlink = typeof netlink;

/** Reasons for missing kernel events; all other functions continue without them. */
export interface EventsNote {
  code: 'EVENTS_UNAVAILABLE' | 'EVENTS_DENIED' | 'EVENTS_OVERRUN';
  message: string;
}

export type OnNote = (note: EventsNote) => void;

/**
 * Loads the package with the binding that `make -C native/netlink` builds. The published one ends the process when
 * events are lost, and in Electron (since 21) with the first message (native/netlink/README.md).
 * @throws Error when that binding is missing
 */
export async function loadNetlink(): Promise<Netlink> {
  // Electron runs the CommonJS bundle, which has a __dirname.
  const here = typeof __dirname === 'string' ? __dirname : import.meta.dirname;
  const folder = path.join(packageRootAbove(here), 'native/build/netlink');
  if (!existsSync(path.join(folder, 'build/Release/netlink_binding.node'))) {
    throw new Error(`${folder}: not built; run \`make -C native/netlink\``);
  }
  process.env['NETLINK_PREBUILD'] = folder;
  return import('netlink');
}

/** Receive buffer for a burst of events, such as a whole routing table. */
export const socketOptions = { ref: false, recvBufferSize: 1 << 20, sendBufferSize: 1 << 16 };
