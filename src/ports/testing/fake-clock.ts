import type { Clock } from '../clock';

export interface FakeClock extends Clock {
  /** Advances time and fires due timers in order. */
  advance(ms: number): void;
}

/** A clock that only the test advances. */
export function createFakeClock(startMs = 0): FakeClock {
  let now = startMs;
  let nextId = 0;
  const timers = new Map<number, { atMs: number; callback: () => void }>();

  const earliest = (untilMs: number): number | undefined => {
    let best: number | undefined;
    for (const [id, timer] of timers) {
      if (timer.atMs > untilMs) continue;
      if (best === undefined || timer.atMs < (timers.get(best)?.atMs ?? 0)) best = id;
    }
    return best;
  };

  return {
    nowMs: () => now,
    after(delayMs, callback) {
      const id = nextId++;
      timers.set(id, { atMs: now + Math.max(0, delayMs), callback });
      return () => timers.delete(id);
    },
    advance(ms) {
      const untilMs = now + ms;
      for (let id = earliest(untilMs); id !== undefined; id = earliest(untilMs)) {
        const timer = timers.get(id);
        timers.delete(id);
        if (!timer) continue;
        now = Math.max(now, timer.atMs);
        timer.callback();
      }
      now = untilMs;
    },
  };
}
