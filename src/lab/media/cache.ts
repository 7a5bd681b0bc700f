import { readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../run-command';

/** `$XDG_CACHE_HOME/multipath-dash` or `~/.cache/multipath-dash`. */
export function defaultCacheDir(): string {
  const base = process.env['XDG_CACHE_HOME'];
  const root = base === undefined || base === '' ? join(homedir(), '.cache') : base;
  return join(root, 'multipath-dash');
}

/** Removes leftovers of killed builds. Call it only while holding the lock. */
export async function removeLeftovers(cacheDir: string): Promise<void> {
  const names = await readdir(cacheDir);
  for (const name of names.filter((each) => /^(part|download)-/.test(each))) {
    await rm(join(cacheDir, name), { recursive: true, force: true });
  }
}

/** ffmpeg's position in seconds of output, from a piece of its `-progress` stream; undefined if absent. */
export function progressSeconds(text: string): number | undefined {
  const last = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Number(last) / 1e6;
}

/**
 * Runs ffmpeg and reports its position in seconds of output.
 * @throws LabError TOOL_MISSING, COMMAND_FAILED
 */
export async function ffmpeg(
  args: readonly string[],
  onSeconds: (seconds: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  await runCommand('ffmpeg', args, {
    diesWithUs: true,
    ...(signal === undefined ? {} : { signal }),
    onStdout: (text) => {
      const seconds = progressSeconds(text);
      if (seconds !== undefined) onSeconds(seconds);
    },
  });
}
