import { setTimeout as sleep } from 'node:timers/promises';
import { tryLockFolder } from './folder-lock';

/** Interval of attempts to take the lock. Chosen; no measurement. */
const RETRY_MS = 200;

/**
 * Runs `work` while no other process works in the same folder; waits for its turn.
 * @param options.onWait called once if another process holds the lock
 * @throws AbortError when the signal ends the wait
 */
export async function withLock<T>(
  folder: string,
  work: () => Promise<T>,
  { onWait, signal }: { onWait?: () => void; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  let release = tryLockFolder(folder);
  if (release === undefined) onWait?.();
  while (release === undefined) {
    await sleep(RETRY_MS, undefined, signal ? { signal } : {});
    release = tryLockFolder(folder);
  }
  try {
    return await work();
  } finally {
    release();
  }
}
