import { describe, expect, it } from 'vitest';
import { coupled, growth } from '../testing/acks';
import { shareBesideReno } from '../testing/one-link';
import { Balia } from './balia';

const pair = (): [Balia, Balia] =>
  coupled(
    (group) => new Balia(group),
    [
      { cwnd: 20, rttMs: 100 },
      { cwnd: 10, rttMs: 100 },
    ],
  ) as [Balia, Balia];

describe('Balia', () => {
  it('grows by x / rtt / (sum x)^2 * (1 + alpha) / 2 * (4 + alpha) / 5 (section V)', () => {
    const [faster] = pair();
    expect(growth(faster)).toBeCloseTo(2000 / 300 ** 2, 9);
    const [, slower] = pair();
    // Alpha is 2: the other path is twice as fast.
    expect(growth(slower)).toBeCloseTo((1000 / 300 ** 2) * 1.5 * 1.2, 9);
  });

  it('falls by half of alpha, at most by 1.5 times one half', () => {
    const [faster, slower] = pair();
    growth(faster, { inRecovery: true });
    growth(slower);
    growth(faster);
    slower.cwnd = 10;
    faster.cwnd = 20;
    slower.onCongestion(0, 10);
    expect(slower.cwnd).toBeCloseTo(10 - 5 * 1.5, 9);
    faster.onCongestion(0, 20);
    expect(faster.cwnd).toBeCloseTo(10, 9);
  });

  it('equals Reno on one path', () => {
    const [alone] = coupled((group) => new Balia(group), [{ cwnd: 20, rttMs: 100 }]) as [Balia];
    expect(growth(alone)).toBeCloseTo(1 / 20, 9);
  });

  it('takes about one share with two subflows', () => {
    const share = shareBesideReno((group) => new Balia(group), 2);
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.58);
  });
});
