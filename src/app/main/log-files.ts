import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { logEnding, type LogFormat } from '../../transport';

/** Default folder of session logs: the XDG state directory, because they are neither cache nor settings. */
export function defaultLogDir(env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'];
  // The specification ignores relative paths.
  const base =
    state !== undefined && path.isAbsolute(state)
      ? state
      : path.join(os.homedir(), '.local', 'state');
  return path.join(base, 'multipath-dash', 'sessions');
}

/** Name of a new log: it sorts by start, and two sessions of one second have different names. */
export function newLogFile(folder: string, startedAt: Date, format: LogFormat): string {
  const stamp = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  const unique = randomBytes(2).toString('hex');
  return path.join(folder, `session-${stamp}-${unique}${logEnding(format)}`);
}
