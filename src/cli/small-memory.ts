import { loadNative } from '../kernel';

/** One arena of the C library's heap for JavaScript's thread, one for all others. */
const ARENAS = 2;

const TRIM_INTERVAL_MS = 60_000;

/**
 * Keeps the C library's heap of this process small, for a command that runs for hours: what many threads freed would
 * stay in their arenas. Does nothing where the addon cannot be loaded. Returns what ends it.
 */
export function keepMemorySmall(): () => void {
  let addon: ReturnType<typeof loadNative>;
  try {
    addon = loadNative();
  } catch {
    return () => undefined; // The command itself reports a missing addon where it needs one.
  }
  addon.limitHeapArenas(ARENAS);
  const timer = setInterval(() => {
    addon.trimHeap();
  }, TRIM_INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
