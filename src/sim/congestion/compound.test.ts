import { describe, expect, it } from 'vitest';
import { ack, settle } from '../testing/acks';
import { Compound } from './compound';

const MS = 1e6;

describe('Compound', () => {
  it('adds a delay window that grows with the window while queues are short', () => {
    const compound = settle(new Compound(), 100);
    compound.onAck(ack({ totalDelivered: 100 }));
    // 0.125 * 100^0.75 - 1, then Reno's share of one acknowledgement.
    const delayWindow = 0.125 * 100 ** 0.75 - 1;
    expect(compound.cwnd).toBeCloseTo(100 + delayWindow + 1 / (100 + delayWindow), 9);
  });

  it('gives the delay window back when thirty segments are queued, and keeps Reno’s', () => {
    const compound = settle(new Compound(), 100);
    compound.onAck(ack({ totalDelivered: 100 }));
    const rttNs = 150 * MS;
    // 34 queued segments exceed the delay window.
    compound.onAck(ack({ rttNs, totalDelivered: 200, priorDelivered: 100 }));
    expect(compound.cwnd).toBeGreaterThan(100);
    expect(compound.cwnd).toBeLessThan(100.1);
  });

  it('halves after a loss', () => {
    const compound = settle(new Compound(), 100);
    compound.onCongestion(0, 100);
    expect(compound.cwnd).toBe(50);
  });
});
