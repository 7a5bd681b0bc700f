import { describe, expect, it } from 'vitest';
import { growth, settle } from '../testing/acks';
import { shareBesideReno } from '../testing/one-link';
import { Reno } from './reno';

describe('Reno', () => {
  it('doubles in slow start, then adds one segment per window', () => {
    const reno = new Reno();
    expect(growth(reno, { delivered: 10 })).toBe(10);
    reno.cwnd = 10;
    reno.ssthresh = 12;
    // Two of six reach the threshold; the other four add a third of a segment.
    expect(growth(reno, { delivered: 6 })).toBeCloseTo(2 + 4 / 12, 9);
    expect(growth(settle(reno, 20))).toBeCloseTo(1 / 20, 9);
  });

  it('does not grow while something else limits the sender, or in recovery', () => {
    const reno = settle(new Reno(), 20);
    expect(growth(reno, { windowLimited: false })).toBe(0);
    expect(growth(reno, { inRecovery: true })).toBe(0);
  });

  it('halves after a loss, starts at one after a time-out, and keeps its minimum', () => {
    const reno = settle(new Reno(), 20);
    reno.onCongestion(0, 20);
    expect([reno.cwnd, reno.ssthresh]).toEqual([10, 10]);
    reno.onTimeout(0, 10);
    expect([reno.cwnd, reno.ssthresh]).toEqual([1, 5]);
    reno.onTimeout(0, 1);
    reno.onRecovered();
    expect([reno.cwnd, reno.ssthresh]).toEqual([2, 2]);
  });

  it('halves for every time-out of idle time, down to the initial window (RFC 2861)', () => {
    const reno = settle(new Reno(), 60);
    reno.onIdle(0, 1);
    expect([reno.cwnd, reno.ssthresh]).toEqual([30, 45]);
    reno.onIdle(0, 5);
    expect(reno.cwnd).toBe(10);
  });

  it('takes two shares with two uncoupled subflows', () => {
    expect(shareBesideReno(() => new Reno(), 2)).toBeGreaterThan(0.58);
  });
});
