import { describe, expect, test } from 'vitest';
import type { Forecast } from '../core';
import { chooseRung } from './choose-rung';
import type { AbrObservation } from './observation';

const rates = [0.3, 0.6, 1, 1.8, 3, 4.5, 6].map((mbps) => mbps * 1e6);

/** Wi-Fi of 5 and LTE of 2 Mbit/s, both well measured. */
function forecast(lteBps = 2e6): Forecast {
  const path = (pathId: string, rateBps: number): Forecast['paths'][number] => ({
    pathId,
    rateBps,
    safeRateBps: rateBps,
    usable: true,
  });
  const rateBps = 5e6 + lteBps;
  const paths = [path('lte', lteBps), path('wifi', 5e6)];
  return { rateBps, safeRateBps: rateBps, confidence: 1, basis: 'paths', paths };
}

const uncertainty = {
  spread: 0.3,
  rise: 0.3,
  failureNow: 0.02,
  failureLater: 0.02,
  step: 0.2,
  failureMs: 3000,
  othersShare: 0.7,
  outage: 0,
  outageMs: 6000,
  sizeSpread: 0,
};

function rungAt(
  bufferMs: number,
  currentRung: number,
  given = forecast(),
  more: { sizes?: number[]; sizeSpread?: number } = {},
): number {
  const observation: AbrObservation = {
    monotonicMs: 0,
    ladders: [
      {
        mediaType: 'video',
        rungs: rates.map((bitrateBps, index) => ({
          index,
          bitrateBps,
          representationId: String(index),
        })),
      },
    ],
    currentRung: { video: currentRung },
    bufferMs: { video: bufferMs },
    bufferTargetMs: 18_000,
    playing: currentRung >= 0,
    requests: [],
    segmentDurationMs: { video: 2000 },
    nextSegments: more.sizes ? { video: Array<number[]>(5).fill(more.sizes) } : undefined,
  };
  const belief = { ...uncertainty, sizeSpread: more.sizeSpread ?? 0 };
  return chooseRung(observation, 'video', given, belief)?.rung ?? -1;
}

describe('the rung of a video segment', () => {
  test('rises with the buffer', () => {
    const rungs = [500, 2000, 5000, 9000, 15_000].map((bufferMs) => rungAt(bufferMs, 3));
    expect(rungs).toEqual([...rungs].sort((a, b) => a - b));
    expect(rungs.at(-1)).toBe(6);
  });

  test('is lower where the paths carry less', () => {
    const slow = { ...forecast(0), rateBps: 1e6, safeRateBps: 1e6 };
    expect(rungAt(5000, 3, slow)).toBeLessThan(rungAt(5000, 3));
  });

  test('is the lowest at a start without a measurement, and high where the network is known', () => {
    expect(rungAt(0, -1, { ...forecast(), confidence: 0.05 })).toBe(0);
    expect(rungAt(0, -1)).toBeGreaterThan(1);
  });

  test('is lower with a thin buffer where sizes vary and nobody knows them', () => {
    const varied = rungAt(3500, 3, forecast(0), { sizeSpread: 0.6 });
    expect(varied).toBeLessThan(rungAt(3500, 3, forecast(0)));
    const sizes = rates.map((bps) => (bps * 2000) / 8000);
    const known = rungAt(3500, 3, forecast(0), { sizes, sizeSpread: 0.6 });
    expect(known).toBe(rungAt(3500, 3, forecast(0)));
  });
});
