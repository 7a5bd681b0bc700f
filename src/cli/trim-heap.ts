import { setFlagsFromString } from 'node:v8';
import { loadNative } from '../kernel';

/** Interval in which the C library's free memory is returned. Chosen; no measurement. */
const TRIM_INTERVAL_MS = 60_000;
/** Newer versions may not know the flag, and report it on standard error. Tried: 20.20, 22.23, 24.21. */
const NEWEST_TRIED_NODE = 24;

/**
 * Keeps the memory of a command that runs for hours small. V8 moves the live objects of sparse pages together at each
 * full collection and frees the pages (docs/soak.md has both figures). The C library returns its free memory to the kernel
 * every minute; not without the addon, which a command that needs it reports itself. Returns what ends the latter.
 */
export function trimHeapRegularly(): () => void {
  if (Number.parseInt(process.versions.node) <= NEWEST_TRIED_NODE) {
    setFlagsFromString('--compact-on-every-full-gc');
  }
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
