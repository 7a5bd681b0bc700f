import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that marks a test's processes and their children. */
export const MARK = 'MULTIPATH_DASH_E2E_MARK';

/** Command lines of the machine's running processes with the mark, as `pid program ...`. */
export function markedProcesses(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // A zombie has an empty environment.
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        if (!environment.includes(`${MARK}=${mark}`)) return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [`${pid} ${command.slice(0, 120)}`];
      } catch {
        return [];
      }
    });
}
