import { describe, expect, it } from 'vitest';
import { ack, coupled, growth } from '../testing/acks';
import { shareBesideReno } from '../testing/one-link';
import { Olia, type OliaRanking } from './olia';

const subflows = [
  { cwnd: 20, rttMs: 100 },
  { cwnd: 10, rttMs: 100 },
];

/** Two subflows with given segments delivered since the last loss. */
function delivered(first: number, second: number): [Olia, Olia] {
  const [one, other] = coupled((group) => new Olia(group), subflows) as [Olia, Olia];
  one.onAck(ack({ delivered: first, windowLimited: false }));
  other.onAck(ack({ delivered: second, windowLimited: false }));
  return [one, other];
}

describe('Olia', () => {
  it('moves window from the largest path to the best path that lacks it (section IV)', () => {
    // w / rtt^2 / 300^2 of each, and alpha / w: +1/2 for the better one, -1/2 for the larger one.
    const [larger] = delivered(100, 1000);
    expect(growth(larger)).toBeCloseTo(2000 / 300 ** 2 - 0.5 / 20, 9);
    const [, better] = delivered(100, 1000);
    expect(growth(better)).toBeCloseTo(1000 / 300 ** 2 + 0.5 / 10, 9);
  });

  it('moves nothing when the best path has the largest window', () => {
    const [best] = delivered(1000, 100);
    expect(growth(best)).toBeCloseTo(2000 / 300 ** 2, 9);
  });

  it('judges a path by the better of the last two intervals between losses', () => {
    const [larger, better] = delivered(100, 1000);
    better.onCongestion(0, 10);
    better.cwnd = 10;
    expect(growth(larger)).toBeCloseTo(2000 / 300 ** 2 - 0.5 / 20, 9);
    better.onCongestion(0, 10);
    better.cwnd = 10;
    larger.cwnd = 20;
    // After the second loss the larger path is also the better one.
    expect(growth(larger)).toBeCloseTo(2000 / 300 ** 2, 9);
  });

  it('may rank as the authors’ kernel code does: l / rtt^2', () => {
    // The longer path delivers twice as much between losses: l^2 / rtt ranks it first, l / rtt^2 last.
    const ranked = (ranking: OliaRanking): Olia => {
      const [longer, shorter] = coupled(
        (group) => new Olia(group, ranking),
        [
          { cwnd: 10, rttMs: 200 },
          { cwnd: 20, rttMs: 100 },
        ],
      ) as [Olia, Olia];
      longer.onAck(ack({ delivered: 200, windowLimited: false, srttNs: 200e6 }));
      shorter.onAck(ack({ delivered: 100, windowLimited: false }));
      return shorter;
    };
    const alone = 2000 / 250 ** 2;
    expect(growth(ranked('paper'))).toBeCloseTo(alone - 0.5 / 20, 9);
    expect(growth(ranked('kernel'))).toBeCloseTo(alone, 9);
  });

  it('takes about one share with two subflows', () => {
    const share = shareBesideReno((group) => new Olia(group), 2);
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.58);
  });
});
