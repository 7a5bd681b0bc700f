import { readFileSync } from 'node:fs';

/** The words of a process's command line; empty for one that has ended. */
export function commandLineOf(pid: number): string[] {
  try {
    // Chromium overwrites its arguments with one text, joined by spaces.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/);
  } catch {
    return [];
  }
}

/** The role of a Chromium process: `renderer`, `utility`, ...; undefined for its first process. */
export function chromiumType(commandLine: readonly string[]): string | undefined {
  const prefix = '--type=';
  return commandLine.find((word) => word.startsWith(prefix))?.slice(prefix.length);
}
