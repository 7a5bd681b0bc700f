import { describe, expect, it } from 'vitest';
import type { SampleBatch, SubflowState } from '../../core';
import { PathRates } from './path-rates';

const at = (address: string) => ({ address, port: 1 });

function batch(
  monotonicMs: number,
  subflows: { id: string; path: string; bytes: number; state?: SubflowState }[],
): SampleBatch {
  return {
    monotonicMs,
    lostSamples: 0,
    connections: [
      {
        connectionId: 'm:1',
        kind: 'mptcp',
        local: at('10.0.0.1'),
        remote: at('10.0.0.2'),
        inOrderBytes: 0,
        subflows: subflows.map(({ id, path, bytes, state = 'active' }) => ({
          subflowId: id,
          pathId: path,
          local: at('10.0.0.1'),
          remote: at('10.0.0.2'),
          state,
          bytesReceived: bytes,
        })),
      },
    ],
  };
}

describe('PathRates', () => {
  it('shows rates over half a second and shares since the start', () => {
    const rates = new PathRates();
    expect(rates.observe(batch(0, [{ id: '1', path: 'wlan0', bytes: 9_000_000 }]))).toBe(false);
    const changed = rates.observe(
      batch(500, [
        { id: '1', path: 'wlan0', bytes: 9_187_500 },
        { id: '2', path: 'wwan0', bytes: 62_500 },
      ]),
    );
    expect(changed).toBe(true);
    const [wlan, wwan] = rates.rows();
    expect(wlan).toMatchObject({ pathId: 'wlan0', rateBps: 3_000_000, share: 0.75 });
    expect(wwan).toMatchObject({ pathId: 'wwan0', rateBps: 1_000_000, share: 0.25 });
  });

  it('shows a path without subflows as closed and a path by its best subflow', () => {
    const rates = new PathRates();
    rates.observe(
      batch(0, [
        { id: '1', path: 'wlan0', bytes: 1, state: 'closed' },
        { id: '2', path: 'wlan0', bytes: 1, state: 'backup' },
        { id: '3', path: 'wwan0', bytes: 1 },
      ]),
    );
    expect(rates.rows().map((row) => row.state)).toEqual(['backup', 'active']);
    rates.observe(batch(100, [{ id: '3', path: 'wwan0', bytes: 2 }]));
    expect(rates.rows().map((row) => row.state)).toEqual(['closed', 'active']);
  });

  it('keeps a bounded history and never a negative rate', () => {
    const rates = new PathRates();
    for (let i = 0; i < 400; i += 1) {
      rates.observe(batch(i * 500, [{ id: '1', path: 'p', bytes: i % 7 === 0 ? 0 : i * 1000 }]));
    }
    const [row] = rates.rows();
    expect(row?.history.length).toBe(120);
    expect(Math.min(...(row?.history ?? [-1]))).toBeGreaterThanOrEqual(0);
  });
});
