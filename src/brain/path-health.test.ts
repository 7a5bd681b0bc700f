import { describe, expect, test } from 'vitest';
import {
  followHealth,
  healthConfig,
  healthOf,
  isRecovering,
  staleReason,
  type PathHealth,
} from './path-health';
import { estimator, follow, silent, waiting, type Facts } from './testing/health-facts';

describe('the health of a path', () => {
  test('takes out a path that blocks the stream, after a time-out and two round trips', () => {
    expect(healthOf(follow([], silent, 1000, 2200), 'wifi')).not.toBe('stale');
    const out = follow([], silent, 1000, 2500);
    expect(healthOf(out, 'wifi')).toBe('stale');
    expect(healthOf(out, 'lte')).not.toBe('stale');
  });

  test('keeps a silent path while no bytes are out of order, or while no request is outstanding', () => {
    const calm = estimator({
      wifi: silent,
      lte: { state: 'active', blockedBytes: 0, totalBytes: 5 },
    });
    const idle = estimator({ wifi: silent, lte: { ...waiting, totalBytes: 5 } });
    let known: PathHealth[] = [];
    for (let nowMs = 0; nowMs < 5000; nowMs += 100)
      known = followHealth(known, calm, nowMs, 'answered');
    for (let nowMs = 5000; nowMs < 9000; nowMs += 100) {
      known = followHealth(known, idle, nowMs, 'none');
    }
    expect(healthOf(known, 'wifi')).not.toBe('stale');
  });

  test('takes out the blocking path, not the one with the out-of-order bytes', () => {
    const wifi = { ...silent, blockedBytes: 64_000 } as const;
    const lte = { ...silent, blockedBytes: 1420 } as const;
    let known: PathHealth[] = [];
    for (let nowMs = 1000; nowMs <= 2500; nowMs += 100) {
      known = followHealth(known, estimator({ wifi, lte }), nowMs, 'answered');
    }
    expect(healthOf(known, 'wifi')).not.toBe('stale');
    expect(healthOf(known, 'lte')).toBe('stale');
  });

  test('takes out the blocking path also while it holds bytes of another connection', () => {
    const wifi = { ...silent, blockedBytes: 240_000 } as const;
    // Audio that the kernel sent twice, beside the video that waits for it.
    const lte = { ...silent, blockedBytes: 33_000, waitingBytes: 240_000 } as const;
    let known: PathHealth[] = [];
    for (let nowMs = 1000; nowMs <= 2500; nowMs += 100) {
      known = followHealth(known, estimator({ wifi, lte }), nowMs, 'answered');
    }
    expect(healthOf(known, 'wifi')).not.toBe('stale');
    expect(healthOf(known, 'lte')).toBe('stale');
  });

  /** Two and a half seconds: `wifi` delivers more and more out-of-order bytes, `lte` this number each time. */
  function trickle(bytes: number, outOfOrderBytes: number): PathHealth[] {
    let known: PathHealth[] = [];
    for (let i = 0; i <= 25; i += 1) {
      const lte = { state: 'active', blockedBytes: 0, totalBytes: 1000 + bytes * i } as const;
      const wifi = { ...lte, totalBytes: 25_000 * i, blockedBytes: outOfOrderBytes * i };
      known = followHealth(known, estimator({ wifi, lte }), 1000 + 100 * i, 'answered');
    }
    return known;
  }

  test('takes out a path that trickles while more and more bytes wait for it', () => {
    expect(healthOf(trickle(250, 10_000), 'lte')).toBe('stale');
    expect(healthOf(trickle(250, 10_000), 'wifi')).not.toBe('stale');
  });

  test('keeps a path that is unused, that only got slower, and all when all are late', () => {
    expect(healthOf(trickle(250, 0), 'lte')).not.toBe('stale');
    expect(healthOf(trickle(5000, 10_000), 'lte')).not.toBe('stale');
    let known: PathHealth[] = [];
    for (let i = 0; i <= 25; i += 1) {
      const both = estimator({ wifi: silent, lte: silent });
      known = followHealth(known, both, 1000 + 100 * i, 'answered');
    }
    expect(known.map(({ state }) => state)).not.toContain('stale');
  });

  test('takes no path out for a tail that was received twice', () => {
    const lte = { ...silent, blockedBytes: 20_000 } as const;
    let known: PathHealth[] = [];
    for (let nowMs = 1000; nowMs <= 5000; nowMs += 100) {
      known = followHealth(known, estimator({ wifi: silent, lte }), nowMs, 'answered');
    }
    expect(healthOf(known, 'wifi')).not.toBe('stale');
  });

  /** Bytes of 100 ms at the expected rate of 2 Mbit/s. */
  const FULL = 25_000;

  /** `wifi` is the only active path: these bytes in each sample of a request from 1 s on, first at its full rate. */
  function alone(
    bytes: readonly number[],
    lte: (sample: number) => Partial<Facts>,
    pacedUntilMs?: number,
  ): PathHealth[] {
    const openRequests = [{ requestId: 1, startMs: 1000, pacedUntilMs }];
    let known: PathHealth[] = [];
    let totalBytes = 0;
    [0, FULL, FULL, ...bytes].forEach((more, sample) => {
      totalBytes += more;
      const wifi = { state: 'active', blockedBytes: 0, totalBytes } as const;
      const other = { state: 'backup', blockedBytes: 0, totalBytes: 0, ...lte(sample) } as const;
      const state = { ...estimator({ wifi, lte: other }), openRequests };
      known = followHealth(known, state, 1000 + 100 * sample, 'answered');
    });
    return known;
  }
  const samples = (count: number, bytes: number): number[] => Array<number>(count).fill(bytes);

  test('takes out the only active path once it stops, although no bytes are out of order', () => {
    expect(
      healthOf(
        alone(samples(8, 0), () => ({})),
        'wifi',
      ),
    ).toBe('suspect');
    expect(
      healthOf(
        alone(samples(9, 0), () => ({})),
        'wifi',
      ),
    ).toBe('stale');
    // 120 kbit/s of 2 Mbit/s expected: its queue takes many seconds.
    expect(
      healthOf(
        alone(samples(25, 1500), () => ({})),
        'wifi',
      ),
    ).toBe('stale');
    expect(
      healthOf(
        alone(samples(25, 5000), () => ({})),
        'wifi',
      ),
    ).toBe('healthy');
  });

  test('keeps the only active path while the server waits for its encoder, and takes it out after that', () => {
    const stopped = (count: number): PathHealth[] => alone(samples(count, 0), () => ({}), 4000);
    expect(healthOf(stopped(28), 'wifi')).toBe('healthy');
    expect(healthOf(stopped(37), 'wifi')).toBe('stale');
  });

  test('still takes it out when a backup is called to help meanwhile, but not without another path', () => {
    const called = (sample: number): Partial<Facts> => (sample > 7 ? { state: 'active' } : {});
    expect(healthOf(alone(samples(9, 0), called), 'wifi')).toBe('stale');
    expect(
      healthOf(
        alone(samples(40, 0), () => ({ state: 'lost' })),
        'wifi',
      ),
    ).not.toBe('stale');
  });

  test('keeps a path that became the only active one while the queue of the other drains', () => {
    let known: PathHealth[] = [];
    for (let i = 0; i <= 40; i += 1) {
      const wifi = { state: 'active', blockedBytes: 0, totalBytes: 5000 } as const;
      const lte = { state: 'backup', blockedBytes: 0, totalBytes: 3000 * i } as const;
      known = followHealth(known, estimator({ wifi, lte }), 1000 + 100 * i, 'answered');
    }
    expect(healthOf(known, 'wifi')).toBe('healthy');
  });

  test('tries a handshake again after the same wait: a lost SYN is no new failure', () => {
    const closed = alone(samples(9, 0), () => ({}));
    const lost = { state: 'lost', blockedBytes: 0, totalBytes: 2 * FULL } as const;
    const lte = { state: 'active', blockedBytes: 0, totalBytes: 0 } as const;
    const states: string[] = [];
    let known = closed;
    for (let nowMs = 2200; nowMs <= 10_000; nowMs += 100) {
      known = followHealth(known, estimator({ wifi: lost, lte }), nowMs, 'answered');
      states.push(healthOf(known, 'wifi'));
    }
    const tries = states.filter((state, i) => state === 'probing' && states[i - 1] === 'stale');
    // Every 2 s of waiting and 1.5 s of handshake.
    expect(tries).toHaveLength(2);
    expect(states.filter((state) => state === 'stale').length).toBeLessThan(60);
    expect(known.find(({ pathId }) => pathId === 'wifi')?.failures).toBe(1);
  });

  test('keeps the only active path while its own out-of-order bytes wait for a backup', () => {
    const wifi = { ...waiting, totalBytes: 1000 } as const;
    const lte = { ...silent, state: 'backup' } as const;
    let known: PathHealth[] = [];
    for (let nowMs = 1000; nowMs <= 2500; nowMs += 100) {
      known = followHealth(known, estimator({ wifi, lte }), nowMs, 'answered');
    }
    expect(healthOf(known, 'wifi')).not.toBe('stale');
    expect(healthOf(known, 'lte')).toBe('stale');
  });

  test('counts a closed path as recovering until it returns or its interface is gone', () => {
    const closed = alone(samples(9, 0), () => ({}));
    const lte = { state: 'active', blockedBytes: 0, totalBytes: 0 } as const;
    const lost = { state: 'lost', blockedBytes: 0, totalBytes: 2 * FULL } as const;
    const go = (from: PathHealth[], wifi: Facts, startMs: number, endMs: number): PathHealth[] => {
      let known = from;
      for (let nowMs = startMs; nowMs <= endMs; nowMs += 100)
        known = followHealth(known, estimator({ wifi, lte }), nowMs, 'answered');
      return known;
    };
    const inVain = go(closed, lost, 2200, 30_000);
    expect(['stale', 'probing']).toContain(healthOf(inVain, 'wifi'));
    expect(isRecovering(inVain)).toBe(true);
    const back = go(inVain, { ...lost, state: 'active' }, 30_100, 36_000);
    expect(healthOf(back, 'wifi')).toBe('healthy');
    expect(isRecovering(back)).toBe(false);
    const gone = go(closed, { ...lost, withdrawn: true }, 2200, 2300);
    expect(healthOf(gone, 'wifi')).toBe('out');
    expect(isRecovering(gone)).toBe(false);
  });

  test('gives the server of a lone path longer for the first byte of an answer', () => {
    const until = (endMs: number): string => {
      let known = alone([], () => ({}));
      for (let nowMs = 1300; nowMs <= endMs; nowMs += 100) {
        const wifi = { state: 'active', blockedBytes: 0, totalBytes: 2 * FULL } as const;
        const lte = { state: 'backup', blockedBytes: 0, totalBytes: 0 } as const;
        known = followHealth(known, estimator({ wifi, lte }), nowMs, 'unanswered');
      }
      return healthOf(known, 'wifi');
    };
    expect(until(2600)).not.toBe('stale');
    expect(until(3000)).toBe('stale');
  });

  test('never takes out the last path', () => {
    let known: PathHealth[] = [];
    const alone = estimator({
      wifi: silent,
      lte: { state: 'lost', blockedBytes: 50_000, totalBytes: 5 },
    });
    for (let nowMs = 0; nowMs < 5000; nowMs += 100)
      known = followHealth(known, alone, nowMs, 'answered');
    expect(healthOf(known, 'wifi')).not.toBe('stale');
  });

  test('takes out a silent path although it is a backup by now, and no backup beside a silent active path', () => {
    const backup = { ...silent, state: 'backup' } as const;
    expect(healthOf(follow([], backup, 1000, 2500), 'wifi')).toBe('stale');
    let known: PathHealth[] = [];
    for (let nowMs = 1000; nowMs <= 2500; nowMs += 100) {
      const paths = { wifi: silent, lte: { ...waiting, totalBytes: nowMs }, eth: backup };
      known = followHealth(known, estimator(paths), nowMs, 'answered');
    }
    expect(healthOf(known, 'wifi')).toBe('stale');
    expect(healthOf(known, 'eth')).toBe('healthy');
  });

  test('retries within 5 s each time, and trusts the first byte', () => {
    const lost = { ...silent, state: 'lost' } as const;
    let known = follow([], silent, 1000, 2500);
    let outMs = 0;
    let longestMs = 0;
    for (let nowMs = 2600; nowMs < 40_000; nowMs += 100) {
      known = follow(known, lost, nowMs, nowMs);
      outMs = healthOf(known, 'wifi') === 'stale' ? outMs + 100 : 0;
      longestMs = Math.max(longestMs, outMs);
    }
    expect(longestMs).toBeGreaterThanOrEqual(healthConfig.retryMs);
    expect(longestMs).toBeLessThanOrEqual(5000);
    expect(staleReason(follow([], silent, 1000, 2500))).toMatch(/^wifi blocks the stream/);
    for (let nowMs = 40_000; nowMs < 45_000; nowMs += 100) {
      const back = { state: 'active', blockedBytes: 50_000, totalBytes: nowMs } as const;
      known = follow(known, back, nowMs, nowMs);
    }
    expect(known.find(({ pathId }) => pathId === 'wifi')).toMatchObject({
      failures: 0,
      state: 'healthy',
    });
  });

  test('names each state on the way: suspect, stale, probing, and out where the kernel says so', () => {
    const lost = { ...silent, state: 'lost' } as const;
    expect(healthOf(follow([], silent, 1000, 1900), 'wifi')).toBe('suspect');
    const stale = follow([], silent, 1000, 2500);
    expect(healthOf(stale, 'wifi')).toBe('stale');
    expect(healthOf(follow(stale, lost, 2600, 4600), 'wifi')).toBe('probing');
    expect(healthOf(follow(stale, lost, 2600, 6500), 'wifi')).toBe('stale');
    expect(healthOf(follow([], lost, 1000, 1100), 'wifi')).toBe('out');
    expect(healthOf(follow(follow([], lost, 1000, 1100), silent, 1200, 1200), 'wifi')).toBe(
      'healthy',
    );
  });
});
