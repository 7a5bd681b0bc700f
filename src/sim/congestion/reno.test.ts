import { describe, expect, it } from 'vitest';
import { growth, settle } from '../testing/acks';
import { shareBesideReno } from '../testing/one-link';
import { Reno } from './reno';

describe('Reno', () => {
  it('doubles in slow start, and adds a segment a window after it', () => {
    const reno = new Reno();
    expect(growth(reno, { delivered: 10 })).toBe(10);
    reno.cwnd = 10;
    reno.ssthresh = 12;
    // Two of six up to the threshold; the other four are a third of a window.
    expect(growth(reno, { delivered: 6 })).toBeCloseTo(2 + 4 / 12, 9);
    expect(growth(settle(reno, 20))).toBeCloseTo(1 / 20, 9);
  });

  it('does not grow while something else holds the sender back, or in recovery', () => {
    const reno = settle(new Reno(), 20);
    expect(growth(reno, { windowLimited: false })).toBe(0);
    expect(growth(reno, { inRecovery: true })).toBe(0);
  });

  it('halves after a loss, begins at one after a time-out, and never falls below its least', () => {
    const reno = settle(new Reno(), 20);
    reno.onCongestion(0, 20);
    expect([reno.cwnd, reno.ssthresh]).toEqual([10, 10]);
    reno.onTimeout(0, 10);
    expect([reno.cwnd, reno.ssthresh]).toEqual([1, 5]);
    reno.onTimeout(0, 1);
    reno.onRecovered();
    expect([reno.cwnd, reno.ssthresh]).toEqual([2, 2]);
  });

  it('halves for every time-out of idling, down to the initial window (RFC 2861)', () => {
    const reno = settle(new Reno(), 60);
    reno.onIdle(0, 1);
    expect([reno.cwnd, reno.ssthresh]).toEqual([30, 45]);
    reno.onIdle(0, 5);
    expect(reno.cwnd).toBe(10);
  });

  it('of two uncoupled subflows takes two shares', { timeout: 60_000 }, () => {
    expect(shareBesideReno(() => new Reno(), 2)).toBeGreaterThan(0.58);
  });
});
