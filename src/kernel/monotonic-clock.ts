import type { Clock } from '../ports';

/** CLOCK_MONOTONIC in milliseconds, the time base of feeds and logs. */
export function monotonicNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The machine's clock as a port. Its timers keep no process alive. */
export const monotonicClock: Clock = {
  nowMs: monotonicNowMs,
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
