import { accessSync, constants } from 'node:fs';
import process from 'node:process';

const installed = '/usr/local/libexec/mpd-pathctl';

/**
 * How to start the privileged helper: the words of `MULTIPATH_DASH_PATHCTL` (such as
 * `sudo -n /usr/local/libexec/mpd-pathctl`), else the installed one; undefined where there is none.
 */
export function findHelper(
  env: NodeJS.ProcessEnv = process.env,
  isProgram: (file: string) => boolean = isExecutable,
): readonly string[] | undefined {
  const told = env['MULTIPATH_DASH_PATHCTL']?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (told.length > 0) return told;
  return isProgram(installed) ? [installed] : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
