import { readdirSync, readFileSync } from 'node:fs';

/** Name of the environment variable that marks a test's processes, with all they start. */
export const MARK = 'MULTIPATH_DASH_E2E_MARK';

/** Command lines of the living processes of this machine that carry the mark, as `pid program ...`. */
export function markedProcesses(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // A process that ended and was not collected yet has an empty environment.
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        if (!environment.includes(`${MARK}=${mark}`)) return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [`${pid} ${command.slice(0, 120)}`];
      } catch {
        return [];
      }
    });
}
