import { readFileSync } from 'node:fs';

/** Interval at which the two clocks are compared. Chosen; no measurement. */
const LOOK_MS = 1000;
/** Shortest gap that counts as a suspend: on a busy machine timers are late by less. */
const SUSPENDED_MS = 3000;

/** CLOCK_BOOTTIME, which counts while the machine is suspended. Undefined where it cannot be read. */
function bootTimeMs(): number | undefined {
  try {
    return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
  } catch {
    return undefined;
  }
}

/**
 * Calls back after a suspend: CLOCK_MONOTONIC stands still during it, CLOCK_BOOTTIME does not. The wall clock is
 * not used, because users and NTP set it.
 * @returns the function that ends the watching
 */
export function watchSuspend(
  onResume: () => void,
  bootMs: () => number | undefined = bootTimeMs,
): () => void {
  const gap = (): number | undefined => {
    const nowMs = bootMs();
    return nowMs === undefined ? undefined : nowMs - performance.now();
  };
  let known = gap();
  const timer = setInterval(() => {
    const now = gap();
    if (now !== undefined && known !== undefined && now - known > SUSPENDED_MS) onResume();
    known = now;
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
