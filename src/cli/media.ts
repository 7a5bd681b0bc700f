import { ensureDemoMedia } from '../lab';
import { interruptedStatus, interruptible } from './interrupt';

/**
 * Makes the demo's media, or finds them in the cache, telling how far it is on standard error.
 * @returns the folder to serve
 */
export async function mediaFolder(seconds: number, signal: AbortSignal): Promise<string> {
  let lastTold = '';
  const media = await ensureDemoMedia({
    seconds,
    signal,
    onProgress: ({ step, fraction }) => {
      // Twenty lines of progress are enough for a terminal and for a log of one.
      const line = `[media] ${step} (${Math.floor(fraction * 20) * 5} % of all)`;
      if (line !== lastTold) process.stderr.write(`${line}\n`);
      lastTold = line;
    },
  });
  return media.dir;
}

/** Like {@link mediaFolder}, called off by Ctrl-C: undefined then, with the exit status set. */
export async function prepareMedia(seconds: number): Promise<string | undefined> {
  return interruptible(async (signal) => {
    try {
      return await mediaFolder(seconds, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      process.exitCode = interruptedStatus;
      return undefined;
    }
  });
}
