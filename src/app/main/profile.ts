import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { App } from 'electron';

export interface Profile {
  /** Text for the viewer where this process does not store what its window remembers. */
  notice?: string;
  /** Deletes what is not to be kept, after the end of this process. Never throws. */
  remove(): void;
}

/** Chromium writes its storage after the last event of Node, so another process waits for the end. */
const REMOVE_AFTER = 'while [ -e "/proc/$1" ]; do sleep 0.1; done; rm -rf -- "$2"';

/**
 * Chromium's stored data belong to one process. A second one waits for them for seconds, and then stores nothing, so it
 * gets a temporary folder. The network settings of the viewer stay in `userData`, which both share. Must be called before
 * Chromium is ready.
 */
export function claimProfile(
  app: Pick<App, 'requestSingleInstanceLock' | 'setPath'>,
  temporaryFolder = os.tmpdir(),
  pid = process.pid,
): Profile {
  if (app.requestSingleInstanceLock()) return { remove: () => undefined };
  const folder = mkdtempSync(path.join(temporaryFolder, 'multipath-dash-'));
  app.setPath('sessionData', folder);
  return {
    notice:
      'Another multipath-dash is open: this one does not know where you left a stream, and does not remember it.',
    remove() {
      const args = ['-c', REMOVE_AFTER, 'sh', String(pid), folder];
      const child = spawn('/bin/sh', args, { cwd: '/', detached: true, stdio: 'ignore' });
      // Without a shell the folder stays until the system empties its temporary folder.
      child.once('error', () => undefined);
      child.unref();
    },
  };
}
