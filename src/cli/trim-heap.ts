import { loadNative } from '../kernel';

const TRIM_INTERVAL_MS = 60_000;

/**
 * Returns free memory of this process to the kernel every minute, for commands that run for hours. Without the addon it
 * does nothing: the command itself reports a missing addon where it needs one. Returns what ends it.
 */
export function trimHeapRegularly(): () => void {
  let addon: ReturnType<typeof loadNative>;
  try {
    addon = loadNative();
  } catch {
    return () => undefined;
  }
  const timer = setInterval(() => {
    addon.trimHeap();
  }, TRIM_INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
