import { describe, expect, it } from 'vitest';
import { coupled, Rounds } from '../testing/acks';
import { deepQueueWaitMs } from '../testing/one-link';
import { WVegas } from './wvegas';

const pair = (first: number, second: number): [WVegas, WVegas] =>
  coupled(
    (group) => new WVegas(group),
    [
      { cwnd: first, rttMs: 100 },
      { cwnd: second, rttMs: 100 },
    ],
  ) as [WVegas, WVegas];

describe('WVegas', () => {
  // Segments in queues: 50 * (rtt - 100) / rtt.
  it('divides a budget of ten queued segments by rate', () => {
    const [equal] = pair(50, 50);
    const rounds = new Rounds();
    // 2.4 exceed the minimum of two, so the weight applies: half of the rate gets five.
    rounds.play(equal, 105);
    expect(equal.cwnd).toBe(51);
    const [minor] = pair(50, 450);
    // A tenth of the rate would get one; the minimum is two.
    new Rounds().play(minor, 105);
    expect(minor.cwnd).toBe(49);
  });

  it('may weigh by the rates of when the shares were last queued, as Linux does', () => {
    const [first, second] = coupled(
      (group) => new WVegas(group, 'instant-rate'),
      [
        { cwnd: 50, rttMs: 100 },
        { cwnd: 50, rttMs: 100 },
      ],
    ) as [WVegas, WVegas];
    // 5.7 are queued. The sibling has no rate yet, so the whole budget of ten is this subflow's.
    new Rounds().play(first, 113);
    expect(first.cwnd).toBe(51);
    // Now the sibling has half: five.
    const rounds = new Rounds();
    rounds.play(second, 113);
    expect(second.cwnd).toBe(49);
    // After a loss the sibling's rate is unknown again.
    first.onRecovered();
    rounds.play(second, 113);
    expect(second.cwnd).toBe(50);
  });

  it('uses the mean of a round, not its shortest round trip', () => {
    const [equal] = pair(50, 50);
    const rounds = new Rounds();
    rounds.play(equal, 113);
    expect(equal.cwnd).toBe(49);
  });

  it('drains a queue that has doubled, and recovers soon', () => {
    const [equal] = pair(50, 50);
    const rounds = new Rounds();
    rounds.play(equal, 104);
    expect(equal.cwnd).toBe(51);
    rounds.play(equal, 108);
    const drained = (52 * 100) / (2 * 108);
    expect(equal.cwnd).toBeCloseTo(drained, 6);
    expect(equal.ssthresh).toBeCloseTo(0.75 * 52, 9);
    rounds.play(equal, 100.5, { delivered: 10 });
    expect(equal.cwnd).toBeGreaterThanOrEqual(0.75 * 52);
  });

  it('keeps a deep queue short', () => {
    expect(deepQueueWaitMs((group) => new WVegas(group))).toBeLessThan(60);
  });
});
