import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type * as netlink from 'netlink';
import { packageRootAbove } from '../native/package-root';

/** The package, which has a native part of its own and may be missing: loaded only here. */
export type Netlink = typeof netlink;

/** Why events of the kernel are missing; everything else goes on without them. */
export interface EventsNote {
  code: 'EVENTS_UNAVAILABLE' | 'EVENTS_DENIED' | 'EVENTS_OVERRUN';
  message: string;
}

export type OnNote = (note: EventsNote) => void;

/**
 * Loads the package. Its published binding hands memory to V8 in a way Electron (since 21) does not allow, and
 * takes the process with it; there, only the one `make -C native/netlink` builds will do.
 * @throws Error when that is missing
 */
export async function loadNetlink(): Promise<Netlink> {
  if ('electron' in process.versions) {
    // Electron runs the CommonJS bundle, so there is a __dirname.
    const folder = path.join(packageRootAbove(__dirname), 'native/build/netlink');
    if (!existsSync(path.join(folder, 'build/Release/netlink_binding.node'))) {
      throw new Error(`${folder}: not built; run \`make -C native/netlink\``);
    }
    process.env['NETLINK_PREBUILD'] = folder;
  }
  return import('netlink');
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Room for a burst of events, such as a whole routing table that changes. */
export const socketOptions = { ref: false, recvBufferSize: 1 << 20, sendBufferSize: 1 << 16 };
