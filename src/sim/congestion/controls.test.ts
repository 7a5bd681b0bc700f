import { describe, expect, it } from 'vitest';
import { downloadOverOneLink, settledGoodputBps } from '../testing/one-link';
import { congestionControls, type CongestionName } from './controls';

const names = Object.keys(congestionControls) as CongestionName[];

describe('congestion controls', () => {
  it.each(names)('%s alone fills a link', (name) => {
    const queue = { discipline: 'droptail' as const };
    // Without noise, wVegas synchronises with its own bursts.
    const noise = { jitter: { shape: 'normal' as const, spreadMs: 3 } };
    const spec = {
      ...{ rateBps: 10e6, delayMs: 25, queueBytes: 60_000, queue },
      ...(name === 'wvegas' ? noise : {}),
    };
    const link = downloadOverOneLink(spec, { createCongestion: congestionControls[name] });
    expect(settledGoodputBps(link)).toBeGreaterThan(0.88 * 10e6 * (1420 / 1500));
  });

  it.each(names)('%s is called that', (name) => {
    expect(congestionControls[name]([]).name).toBe(name);
  });
});
