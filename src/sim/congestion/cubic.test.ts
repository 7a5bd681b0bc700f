import { describe, expect, it } from 'vitest';
import { ack, settle } from '../testing/acks';
import { Cubic } from './cubic';

const MS = 1e6;

/** Acknowledges whole windows, one per round trip, for some seconds. */
function grow(cubic: Cubic, seconds: number, rttMs: number, fromS = 0): void {
  const rttNs = rttMs * MS;
  for (let nowNs = fromS * 1e9; nowNs < (fromS + seconds) * 1e9; nowNs += rttNs) {
    cubic.onAck(ack({ nowNs, delivered: cubic.cwnd, rttNs, srttNs: rttNs, minRttNs: rttNs }));
  }
}

describe('Cubic', () => {
  it('falls to 0.7, returns to the old window after K, then grows further (RFC 9438, section 4.2)', () => {
    const cubic = settle(new Cubic(), 100);
    cubic.onCongestion(0, 100);
    expect(cubic.cwnd).toBeCloseTo(70, 9);
    const k = Math.cbrt((100 - 70) / 0.4);
    grow(cubic, k / 2, 100);
    // A cubic curve: an eighth of the gap remains.
    expect(cubic.cwnd).toBeGreaterThan(95);
    expect(cubic.cwnd).toBeLessThan(98);
    grow(cubic, k / 2, 100, k / 2);
    expect(Math.abs(cubic.cwnd - 100)).toBeLessThan(1);
    grow(cubic, k, 100, k);
    expect(Math.abs(cubic.cwnd - 130)).toBeLessThan(5);
  });

  it('leaves room for new flows after a loss below the last one (section 4.7)', () => {
    const settled = (): Cubic => settle(new Cubic(), 100);
    const again = settled();
    again.onCongestion(0, 100);
    again.cwnd = 80;
    again.onCongestion(0, 100);
    expect(again.cwnd).toBeCloseTo(56, 9);
    // The plateau is at 80 * 1.7 / 2 = 68, not at 80.
    grow(again, Math.cbrt(12 / 0.4), 300);
    expect(Math.abs(again.cwnd - 68)).toBeLessThan(1.5);
  });

  it('is at least as fast as Reno on short round trips (section 4.3)', () => {
    const cubic = settle(new Cubic(), 20);
    cubic.onCongestion(0, 100);
    grow(cubic, 1, 10);
    // A hundred round trips: 0.53 per round trip up to 20, then one.
    expect(cubic.cwnd).toBeGreaterThan(14 + 6 + 0.8 * (100 - 6 / 0.53));
  });

  it('ends slow start when round trips grow (HyStart)', () => {
    const cubic = new Cubic();
    cubic.cwnd = 20;
    const late = { rttNs: 113 * MS, delivered: 1, totalDelivered: 100, priorDelivered: 0 };
    cubic.onAck(ack(late));
    for (let i = 0; i < 6; i += 1) cubic.onAck(ack({ ...late, priorDelivered: 1 }));
    expect(cubic.ssthresh).toBe(Infinity);
    cubic.onAck(ack({ ...late, priorDelivered: 1 }));
    expect(cubic.ssthresh).toBeLessThan(30);
  });
});
