import { describe, expect, it } from 'vitest';
import { coupled, growth } from '../testing/acks';
import { Mcc, type MccReading } from './mcc';

const MS = 1e6;

const pair = (reading?: MccReading): [Mcc, Mcc] =>
  coupled(
    (group) => new Mcc(group, reading),
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

  it('holds theta at 1 with the reading none', () => {
    const [larger] = pair('none');
    remember(larger);
    expect(growth(larger, { rttNs: 300 * MS })).toBeCloseTo(3000 / 400 ** 2, 9);
    larger.cwnd = 30;
    larger.onCongestion(0, 30);
    expect(larger.cwnd).toBe(15);
    expect(larger.smoothing).toMatchObject({
      smoothedAcks: 0,
      reductions: 1,
      smoothedReductions: 0,
    });
  });

  it('keeps one sample a round trip with that reading', () => {
    // Twenty acknowledgements of 200 ms within one round trip: only the first is kept.
    const grown = (reading: MccReading): number => {
      const [larger] = pair(reading);
      const round = { windowLimited: false, priorDelivered: 0 };
      for (let i = 1; i <= 10; i += 1)
        growth(larger, { ...round, priorDelivered: 10 * i, totalDelivered: 10 * i + 5 });
      for (let i = 0; i < 20; i += 1)
        growth(larger, { ...round, priorDelivered: 110, totalDelivered: 200, rttNs: 200 * MS });
      return growth(larger, { priorDelivered: 110, totalDelivered: 200, rttNs: 200 * MS });
    };
    expect(grown('per-ack')).toBeCloseTo(3000 / 400 ** 2, 9);
    expect(grown('per-round')).toBeCloseTo((3000 / 400 ** 2) * (10 / 40), 9);
  });
});
