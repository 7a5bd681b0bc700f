import { describe, expect, it } from 'vitest';
import { Rounds, settle } from '../testing/acks';
import { deepQueueWaitMs } from '../testing/one-link';
import { Vegas } from './vegas';

describe('Vegas', () => {
  // Segments in queues: 50 * (rtt - 100) / rtt.
  it.each([
    { rttMs: 101, change: 1, why: 'half a segment is too few' },
    { rttMs: 106, change: 0, why: 'three are right' },
    { rttMs: 115, change: -1, why: 'six and a half are too many' },
  ])('moves by $change at $rttMs ms: $why', ({ rttMs, change }) => {
    const vegas = settle(new Vegas(), 50);
    const rounds = new Rounds();
    rounds.play(vegas, rttMs);
    expect(vegas.cwnd).toBe(50 + change);
    rounds.play(vegas, rttMs);
    expect(vegas.cwnd).toBeCloseTo(50 + 2 * change, 9);
  });

  it('ends slow start at the first queued segment', () => {
    const vegas = new Vegas();
    vegas.cwnd = 20;
    new Rounds().play(vegas, 110, { delivered: 0 });
    expect(vegas.cwnd).toBeCloseTo((20 * 100) / 110 + 1, 9);
    expect(vegas.ssthresh).toBe(vegas.cwnd);
  });

  it('keeps a deep queue short', () => {
    // A loss-based control would fill 800 ms.
    expect(deepQueueWaitMs(() => new Vegas())).toBeLessThan(60);
  });
});
