import { describe, expect, it } from 'vitest';
import { Reno } from '../congestion/reno';
import { Recovery } from './recovery';

/** A sender with 40 segments of 1000 bytes in flight, whose window is 40. */
function sender(): { congestion: Reno; recovery: Recovery } {
  const congestion = new Reno();
  congestion.cwnd = 40;
  return { congestion, recovery: new Recovery(congestion) };
}

describe('a time-out', () => {
  it('halves the threshold once, however often the same segment times out', () => {
    const { congestion, recovery } = sender();
    recovery.onTimeout(0, 40, 40_000);
    expect(congestion).toMatchObject({ cwnd: 1, ssthresh: 20 });
    recovery.onTimeout(1e9, 1, 40_000);
    expect(congestion).toMatchObject({ cwnd: 1, ssthresh: 20 });
  });

  it('after progress begins again with one segment and a new threshold', () => {
    const { congestion, recovery } = sender();
    recovery.onTimeout(0, 40, 40_000);
    congestion.cwnd = 12;
    recovery.onProgress();
    recovery.onTimeout(1e9, 12, 40_000);
    expect(congestion).toMatchObject({ cwnd: 1, ssthresh: 6 });
  });

  it('in the middle of a recovery leaves its threshold, and one segment', () => {
    const { congestion, recovery } = sender();
    recovery.repair({
      nowNs: 0,
      hasNewLoss: true,
      marked: false,
      delivered: 1,
      inFlight: 38,
      unaSeq: 1000,
      nextSeq: 40_000,
    });
    expect(congestion.ssthresh).toBe(20);
    recovery.onTimeout(1e9, 20, 40_000);
    expect(congestion).toMatchObject({ cwnd: 1, ssthresh: 20 });
    expect(recovery.wasSpurious(0)).toBe(false);
  });
});
