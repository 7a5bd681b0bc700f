import { describe, expect, it } from 'vitest';
import { batch, connection, subflow } from '../../core/testing/samples';
import type { ConnectionSample } from '../../core';
import { LiveState } from './live-state';

function see(live: LiveState, monotonicMs: number, connections: ConnectionSample[]): void {
  live.observe({ type: 'samples', monotonicMs, batch: batch(monotonicMs, connections) });
}

describe('LiveState', () => {
  it('reports rates of the last second and shares since the start', () => {
    const live = new LiveState();
    for (let second = 0; second <= 3; second += 1) {
      // 1 Mbit/s and 0.25 Mbit/s, and no more on the second path after two seconds.
      const lte = 31_250 * Math.min(second, 2);
      see(live, second * 1000, [
        connection([subflow('wifi', 125_000 * second), subflow('lte', lte)]),
      ]);
    }
    expect(live.livePaths()).toEqual([
      { pathId: 'lte', state: 'active', rateBps: 0, rcvRttMs: 30, share: 62_500 / 437_500 },
      { pathId: 'wifi', state: 'active', rateBps: 1e6, rcvRttMs: 30, share: 375_000 / 437_500 },
    ]);
  });

  it('keeps the bytes and the round trip of a removed path', () => {
    const live = new LiveState();
    see(live, 0, [connection([subflow('wifi', 0), subflow('lte', 0)])]);
    see(live, 500, [connection([subflow('wifi', 3000), subflow('lte', 1000)])]);
    see(live, 1000, [connection([subflow('wifi', 3000)])]);
    expect(live.livePaths()[0]).toMatchObject({ pathId: 'lte', state: 'closed', share: 0.25 });
    expect(live.livePaths()[0]?.rcvRttMs).toBe(30);
  });

  it('shows the best state of several subflows on one path', () => {
    const live = new LiveState();
    see(live, 0, [
      connection([subflow('lte', 0, { state: 'closed' })]),
      connection([subflow('lte', 0, { state: 'backup' })], { connectionId: 'm:2' }),
    ]);
    expect(live.livePaths()).toMatchObject([{ state: 'backup', rateBps: 0, share: 0 }]);
  });

  it('counts a stall from its start, and adds its length while it lasts', () => {
    const live = new LiveState();
    live.observe({ type: 'stall', monotonicMs: 1000, phase: 'start' });
    expect(live.stalls).toEqual({ count: 1, totalMs: 0 });
    see(live, 41_000, []);
    expect(live.stalls).toEqual({ count: 1, totalMs: 40_000 });
    live.observe({ type: 'stall', monotonicMs: 41_500, phase: 'end', durationMs: 40_500 });
    see(live, 50_000, []);
    expect(live.stalls).toEqual({ count: 1, totalMs: 40_500 });
  });

  it('follows status and errors', () => {
    const live = new LiveState();
    live.observe({ type: 'error', monotonicMs: 0, code: 'X', message: 'a 404', fatal: false });
    const status = { state: 'fallback', reason: 'stripped' } as const;
    live.observe({ type: 'status', monotonicMs: 0, status });
    expect(live).toMatchObject({ lastError: 'a 404', status });
  });
});
