import { describe, expect, it } from 'vitest';
import { every } from '../engine/timer';
import { deepQueueWaitMs, downloadOverOneLink, settledGoodputBps } from '../testing/one-link';
import { Bbr } from './bbr';
import { Reno } from './reno';

const queue = { discipline: 'droptail' as const };
const spec = { rateBps: 10e6, delayMs: 25, queueBytes: 60_000, queue };

describe('Bbr', () => {
  it('does not react to random loss', () => {
    const lossy = { ...spec, lossRatio: 0.02 };
    const goodput = (create: () => Bbr | Reno): number =>
      settledGoodputBps(downloadOverOneLink(lossy, { createCongestion: create }));
    expect(goodput(() => new Bbr())).toBeGreaterThan(0.8 * 10e6);
    expect(goodput(() => new Reno())).toBeLessThan(0.4 * 10e6);
  });

  it('keeps a deep queue short', () => {
    expect(deepQueueWaitMs(() => new Bbr())).toBeLessThan(60);
  });

  it('paces at the delivered bandwidth, and drains the pipe every ten seconds', () => {
    const bbr = new Bbr();
    const { simulation } = downloadOverOneLink(spec, {
      createCongestion: (group) => (group.length === 0 && isServer() ? bbr : new Bbr()),
    });
    const paces: number[] = [];
    const windows: number[] = [];
    every(simulation, 10e6, () => {
      if (simulation.nowNs < 3e9) return;
      paces.push((bbr.pacingBps ?? 0) / 10e6);
      windows.push(bbr.cwnd);
    });
    simulation.run(25e9);
    const sorted = [...paces].sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
    expect(middle).toBeGreaterThan(0.93);
    expect(middle).toBeLessThan(1.02);
    // One phase a quarter above, one a quarter below.
    expect(Math.max(...paces)).toBeGreaterThan(1.2);
    expect(Math.min(...paces)).toBeLessThan(0.78);
    expect(Math.min(...windows)).toBe(4);
    const low = windows.filter((window) => window === 4).length * 10;
    // Twice, for 200 ms plus the time until the pipe is empty.
    expect(low).toBeGreaterThan(2 * 200);
    expect(low).toBeLessThan(2 * 450);
  });
});

/** The client's end of a subflow is created before the server's. */
let ends = 0;
function isServer(): boolean {
  ends += 1;
  return ends % 2 === 0;
}
