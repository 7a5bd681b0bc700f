import type { Clock, Transport } from '../../ports';

/** The page's timers on the feed's time base. */
export function createBrowserClock(transport: Pick<Transport, 'nowMs'>): Clock {
  return {
    nowMs: () => transport.nowMs(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

/** Calls back periodically until the returned function is called. */
export function every(clock: Clock, periodMs: number, callback: () => void): () => void {
  let cancel: () => void;
  const tick = (): void => {
    cancel = clock.after(periodMs, tick);
    callback();
  };
  cancel = clock.after(periodMs, tick);
  return () => cancel();
}
