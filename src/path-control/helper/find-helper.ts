import { accessSync, constants } from 'node:fs';
import process from 'node:process';

const INSTALLED = '/usr/local/libexec/mpd-pathctl';

/**
 * Returns the command of the privileged helper: the words of `MULTIPATH_DASH_PATHCTL` (such as `sudo -n
 * /usr/local/libexec/mpd-pathctl`), else the installed one. Undefined if there is none.
 */
export function findHelper(
  env: NodeJS.ProcessEnv = process.env,
  isProgram: (file: string) => boolean = isExecutable,
): readonly string[] | undefined {
  const configured = env['MULTIPATH_DASH_PATHCTL']?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (configured.length > 0) return configured;
  return isProgram(INSTALLED) ? [INSTALLED] : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
