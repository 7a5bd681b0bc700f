import { describe, expect, it } from 'vitest';
import { coupled, growth, settle } from '../testing/acks';
import { shareBesideReno } from '../testing/one-link';
import { Lia } from './lia';

describe('Lia', () => {
  it('couples the growth of both subflows (RFC 6356, section 3)', () => {
    const subflows = [
      { cwnd: 20, rttMs: 100 },
      { cwnd: 10, rttMs: 50 },
    ];
    // 400 segments a second in all; the best is 10 / 0.05^2 = 4000: 4000 / 400^2.
    const [first] = coupled((group) => new Lia(group), subflows);
    expect(growth(first)).toBeCloseTo(0.025, 9);
    const [, second] = coupled((group) => new Lia(group), subflows);
    expect(growth(second)).toBeCloseTo(0.025, 9);
  });

  it('never exceeds Reno on one path, and equals Reno alone', () => {
    const [, slow] = coupled(
      (group) => new Lia(group),
      [
        { cwnd: 2, rttMs: 10 },
        { cwnd: 40, rttMs: 400 },
      ],
    );
    // Coupled 2 / 0.01^2 / 300^2 = 0.22, but Reno has 1 / 40.
    expect(growth(slow)).toBeCloseTo(1 / 40, 9);
    expect(growth(settle(new Lia([]), 20))).toBeCloseTo(1 / 20, 9);
  });

  it('takes about one share with two subflows (goal 2)', () => {
    const share = shareBesideReno((group) => new Lia(group), 2);
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.58);
  });
});
