import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';

/** Where session logs go unless told otherwise: the XDG state directory, for they are neither cache nor settings. */
export function defaultLogDir(env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'];
  // The specification has relative paths ignored.
  const base =
    state !== undefined && path.isAbsolute(state)
      ? state
      : path.join(os.homedir(), '.local', 'state');
  return path.join(base, 'multipath-dash', 'sessions');
}

/** A new log's name: sorts by start, and two sessions of one second do not meet. */
export function newLogFile(folder: string, startedAt: Date): string {
  const stamp = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return path.join(folder, `session-${stamp}-${randomBytes(2).toString('hex')}.jsonl`);
}
