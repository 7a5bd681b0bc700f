import { describe, expect, it } from 'vitest';
import { coupled, growth } from '../testing/acks';
import { Mcc } from './mcc';

const MS = 1e6;

const pair = (): [Mcc, Mcc] =>
  coupled(
    (group) => new Mcc(group),
    [
      { cwnd: 30, rttMs: 100 },
      { cwnd: 10, rttMs: 100 },
    ],
  ) as [Mcc, Mcc];

/** Ten round trips of 100 ms. */
function remember(mcc: Mcc): void {
  for (let i = 0; i < 10; i += 1) growth(mcc, { windowLimited: false });
}

describe('Mcc', () => {
  it('grows by OLIA’s coupling term while round trips are normal (equation 1)', () => {
    const [larger] = pair();
    remember(larger);
    expect(growth(larger, { rttNs: 149 * MS })).toBeCloseTo(3000 / 400 ** 2, 9);
  });

  it('slows down by min w / sum w both ways above 1.5 times the weighted mean (equation 2)', () => {
    const [larger] = pair();
    remember(larger);
    expect(growth(larger, { rttNs: 151 * MS })).toBeCloseTo((3000 / 400 ** 2) * (10 / 40), 9);
    larger.cwnd = 30;
    larger.onCongestion(0, 30);
    expect(larger.cwnd).toBeCloseTo(30 - 15 * (10 / 40), 9);
  });

  it('weighs the latest round trips most', () => {
    const [larger] = pair();
    remember(larger);
    // Five of 200: (5 * 100 * 3 + 200 * (6 + 7 + 8 + 9 + 10)) / 55 = 172.7 ms; plain it would be 150.
    for (let i = 0; i < 5; i += 1) growth(larger, { rttNs: 200 * MS, windowLimited: false });
    expect(growth(larger, { rttNs: 258 * MS })).toBeCloseTo(3000 / 400 ** 2, 9);
    expect(growth(larger, { rttNs: 300 * MS })).toBeLessThan((3000 / 400 ** 2) * 0.3);
  });

  it('halves after a loss while round trips are normal', () => {
    const [larger] = pair();
    remember(larger);
    larger.onCongestion(0, 30);
    expect(larger.cwnd).toBe(15);
  });
});
