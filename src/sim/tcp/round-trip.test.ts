import { describe, expect, it } from 'vitest';
import { RoundTrip } from './round-trip';

const MS = 1e6;

/** A round of ten segments of 1000 bytes, each acknowledged with the same round trip. */
function rounds(trip: RoundTrip, first: number, count: number, sampleMs: number): void {
  for (let round = first; round < first + count; round += 1) {
    for (let ack = 1; ack <= 10; ack += 1) {
      const una = (round * 10 + ack) * 1000;
      trip.observe(sampleMs * MS, 0, una, una + 10_000);
    }
  }
}

describe('the retransmission time-out', () => {
  it('is three round trips after the first sample, and at least the round trip and 200 ms', () => {
    const slow = new RoundTrip();
    slow.observe(500 * MS, 0, 0, 0);
    expect(slow.rtoNs).toBe(1500 * MS);
    const fast = new RoundTrip();
    fast.observe(20 * MS, 0, 0, 0);
    expect(fast.rtoNs).toBe(220 * MS);
  });

  it('grows with one late acknowledgement, and falls by a quarter of the rest once a round trip, as in Linux', () => {
    const trip = new RoundTrip();
    rounds(trip, 0, 20, 40);
    expect(trip.rtoNs / MS).toBeCloseTo(240, 0);
    trip.observe(2040 * MS, 0, 201_000, 211_000);
    const high = trip.rtoNs / MS;
    // srtt 40 + 2000 / 8, margin 4 x 2000 / 4.
    expect(high).toBeGreaterThan(2250);
    rounds(trip, 21, 1, 40);
    // Ten acknowledgements, one round: RFC 6298's estimate, which falls with each, would be far below.
    expect(trip.rtoNs / MS).toBeGreaterThan(1500);
    rounds(trip, 22, 30, 40);
    expect(trip.rtoNs / MS).toBeLessThan(300);
  });
});
