import { describe, expect } from 'vitest';
import { observe } from '../../kernel/testing/private-network';

type Stream = Record<string, { receivedBytes: number; outReason?: string }>;

describe('the budgets of networks, on a real kernel', () => {
  const { get, check } = observe('src/transport/testing/budget-scenario.ts', 120_000);
  const bytesOf = (network: string): number =>
    ['first', 'second'].reduce(
      (sum, name) => sum + ((get(name) as Stream)[network]?.receivedBytes ?? 0),
      0,
    );

  check('are counted over all streams of a run', () => {
    expect((get('first') as Stream)['c1']?.receivedBytes).toBeGreaterThan(0);
    expect(bytesOf('c1')).toBeLessThanOrEqual(3_000_000);
    expect(bytesOf('c2')).toBeLessThanOrEqual(1_000_000);
    // Two streams of 3 MB asked for more than both budgets together.
    expect(bytesOf('c1') + bytesOf('c2')).toBeGreaterThan(3_500_000);
  });

  check('are named whole once they are spent', () => {
    const { outReason } = (get('second') as Stream)['c2'] ?? {};
    expect(outReason).toContain('its budget of 1.0 MB is spent');
  });
});
