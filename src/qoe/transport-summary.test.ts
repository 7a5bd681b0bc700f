import { describe, expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import type { LogEvent } from '../session-log';
import { summarize } from '.';
import { config } from './testing/log-events';

describe('paths in the summary', () => {
  const samples = (ms: number, wifi: number, lte: number, backup = false): LogEvent => ({
    type: 'samples',
    monotonicMs: ms,
    batch: batch(ms, [
      connection([
        subflow('wifi', wifi, { rcvRttUs: 20_000 }),
        subflow('lte', lte, { rcvRttUs: 80_000, state: backup ? 'backup' : 'active' }),
      ]),
    ]),
  });

  test('bytes from the connection start, shares, rates, round trips and set changes', () => {
    const result = summarize([
      config,
      samples(1100, 1000, 0),
      samples(1200, 26_000, 5000),
      samples(1300, 26_000, 10_000),
      samples(1400, 26_000, 10_000, true),
      samples(1500, 90_000, 10_000, true),
      samples(2000, 90_000, 10_000),
    ]);
    expect(result.paths).toEqual([
      {
        id: 'lte',
        bytes: 10_000,
        sharePercent: 10,
        meanRateBps: 80_000,
        activeRateBps: 400_000,
        activeMs: 200,
        rcvRttMs: 80,
      },
      expect.objectContaining({ id: 'wifi', bytes: 90_000, sharePercent: 90, rcvRttMs: 20 }),
    ]);
    expect(result.pathSwitches).toBe(2);
  });

  test('out-of-order bytes are those received and not yet delivered', () => {
    const held = (ms: number, bytes: number, inOrderBytes: number): LogEvent => ({
      type: 'samples',
      monotonicMs: ms,
      batch: batch(ms, [connection([subflow('wifi', bytes)], { inOrderBytes })]),
    });
    const result = summarize([config, held(1100, 0, 0), held(1200, 900, 0), held(1300, 900, 900)]);
    expect(result.holBytes).toEqual({ mean: 450, max: 900 });
  });

  test('the worst transport status is kept', () => {
    const result = summarize([
      config,
      { type: 'status', monotonicMs: 1100, status: { state: 'fallback', reason: 'no MPTCP' } },
      { type: 'status', monotonicMs: 1200, status: { state: 'multipath', reason: '2 paths' } },
    ]);
    expect(result.transport?.worst.state).toBe('fallback');
    expect(result.transport?.last.state).toBe('multipath');
  });
});
