import { ensureDemoMedia } from '../../lab';
import { INTERRUPTED_STATUS, interruptible } from '../../runner/host';

/**
 * Makes the demo's media, or finds them in the cache. Reports its progress on standard error.
 * @returns the folder to serve
 */
export async function mediaFolder(seconds: number, signal: AbortSignal): Promise<string> {
  let lastLine = '';
  const media = await ensureDemoMedia({
    seconds,
    signal,
    onProgress: ({ step, fraction }) => {
      // Twenty lines of progress are enough for a terminal and for its log.
      const line = `[media] ${step} (${Math.floor(fraction * 20) * 5} % of all)`;
      if (line !== lastLine) process.stderr.write(`${line}\n`);
      lastLine = line;
    },
  });
  return media.dir;
}

/** Like {@link mediaFolder}, but Ctrl-C aborts it: it then returns undefined and sets the exit status. */
export async function prepareMedia(seconds: number): Promise<string | undefined> {
  return interruptible(async (signal) => {
    try {
      return await mediaFolder(seconds, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      process.exitCode = INTERRUPTED_STATUS;
      return undefined;
    }
  });
}
