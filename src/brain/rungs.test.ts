import { describe, expect, test } from 'vitest';
import type { Forecast } from '../qoe';
import { chooseRung } from './rungs';
import type { BrainObservation } from './types';

const rates = [0.3, 0.6, 1, 1.8, 3, 4.5, 6].map((mbps) => mbps * 1e6);

/** Wi-Fi of 5 and LTE of 2 Mbit/s, both known well. */
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

function rungAt(bufferMs: number, currentRung: number, given = forecast()): number {
  const observation: BrainObservation = {
    monotonicMs: 0,
    trigger: 'segment',
    mediaType: 'video',
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
    control: 'all',
  };
  return chooseRung(observation, 'video', given, [])?.rung ?? -1;
}

describe('a rung that outlives the best path', () => {
  test('is no higher than the others can bring before the buffer is dry', () => {
    // 12 Mbit over 2 Mbit/s take 6 s.
    expect(rungAt(4800, 4)).toBe(5);
    expect(rungAt(7000, 4)).toBe(6);
  });

  test('is kept a little longer than it would be taken', () => {
    expect(rungAt(4800, 6)).toBe(6);
    expect(rungAt(2500, 6)).toBeLessThan(6);
  });

  test('is no matter where the others could carry next to nothing, or one path is all there is', () => {
    expect(rungAt(4000, 5, forecast(2e6))).toBe(5);
    expect(rungAt(4000, 5, forecast(0.6e6))).toBe(6);
  });

  test('is no matter with an empty buffer: a start is as high as the forecast allows', () => {
    expect(rungAt(0, -1)).toBeGreaterThan(2);
  });
});
