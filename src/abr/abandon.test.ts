import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeRequests, type AbandonChoice, type RequestInFlight } from '.';
import type { Forecast } from '../core';
import { expecting, six, sure } from './testing/builders';

interface Facts extends Partial<RequestInFlight> {
  bufferMs?: number;
  forecast?: Forecast;
}

/** The lowest rung must begin soon. */
const late = { bufferMs: 1500 };

/** 6 Mbit/s for 2 s: 1.5 MB, a third of it loaded after 1 s. */
function judge({
  bufferMs = 3000,
  forecast = expecting({ wifi: 4.8 }),
  ...more
}: Facts): AbandonChoice | undefined {
  const request: RequestInFlight = {
    requestId: 1,
    mediaType: 'video',
    rung: 5,
    startMs: 4000,
    bytesLoaded: 500_000,
    bytesTotal: 1_500_000,
    durationMs: 2000,
    ...more,
  };
  const observation = {
    monotonicMs: 5000,
    ladders: [six],
    currentRung: { video: request.rung },
    bufferMs: { video: bufferMs },
    bufferTargetMs: 20_000,
    playing: true,
    requests: [request],
    segmentDurationMs: { video: 2000 },
  };
  return judgeRequests(observation, forecast, () => sure);
}

describe('abandonment', () => {
  test.each<[string, Facts, number | undefined]>([
    ['in time: goes on', {}, undefined],
    [
      'would stall for long: the rung that is worth most',
      { ...late, forecast: expecting({ wifi: 1 }) },
      0,
    ],
    [
      'the lowest rung would be in time later too: goes on',
      { forecast: expecting({ wifi: 1 }) },
      undefined,
    ],
    [
      'would stall for less than the lower quality costs: goes on',
      { ...late, forecast: expecting({ wifi: 4.5 }) },
      undefined,
    ],
    [
      'nothing arrives in time: the first to arrive',
      { forecast: expecting({ wifi: 0.5 }), bufferMs: 600 },
      0,
    ],
    [
      'nearly done: goes on',
      { bytesLoaded: 1_440_000, forecast: expecting({ wifi: 0.1 }) },
      undefined,
    ],
    [
      'hardly measured: goes on',
      { forecast: expecting({ wifi: 2 }, { confidence: 0.2 }) },
      undefined,
    ],
    ['lowest rung: goes on', { rung: 0, forecast: expecting({ wifi: 0.1 }) }, undefined],
    ['no rate at all: starting over is no better', { forecast: expecting({ wifi: 0 }) }, undefined],
    [
      'restart would finish later: goes on',
      {
        rung: 1,
        bytesLoaded: 110_000,
        bytesTotal: 150_000,
        forecast: expecting({ wifi: 0.3 }),
        bufferMs: 600,
      },
      undefined,
    ],
    [
      'unknown length is estimated',
      { ...late, bytesTotal: undefined, forecast: expecting({ wifi: 1 }) },
      0,
    ],
  ])('%s', (_name, more, toRung) => {
    expect(judge(more)?.toRung).toBe(toRung);
  });

  test('the reason names both rungs and their times', () => {
    expect(judge({ ...late, forecast: expecting({ wifi: 0, lte: 1 }) })?.reason).toMatch(
      /gave up 6.0 Mbit\/s for 300 kbit\/s: 8.0 s to go, 900 ms instead; .*wifi not in use/,
    );
  });

  test('never abandons for a later finish, and only downwards', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.double({ min: 0.001, max: 20, noNaN: true }),
        fc.integer({ min: 0, max: 2_000_000 }),
        fc.integer({ min: 0, max: 30_000 }),
        (rung, mbps, bytesLoaded, bufferMs) => {
          const bytesTotal = ((six.rungs[rung]?.bitrateBps ?? 0) * 2) / 8;
          const abandon = judge({
            rung,
            bytesLoaded,
            bytesTotal,
            bufferMs,
            forecast: expecting({ wifi: mbps }),
          });
          if (!abandon) return;
          expect(abandon.toRung).toBeLessThan(rung);
          expect(abandon.toRung).toBeGreaterThanOrEqual(0);
          const finishMs = ((bytesTotal - bytesLoaded) * 8000) / (mbps * 1e6);
          const restartMs = ((six.rungs[abandon.toRung]?.bitrateBps ?? 0) * 2000) / (mbps * 1e6);
          expect(restartMs).toBeLessThan(finishMs);
        },
      ),
    );
  });

  test('invalid numbers never throw and never leave the ladder', () => {
    const any = fc.double();
    fc.assert(
      fc.property(any, any, any, any, (rate, loaded, total, buffer) => {
        const abandon = judge({
          bytesLoaded: loaded,
          bytesTotal: total,
          bufferMs: buffer,
          forecast: { ...expecting({ wifi: 1 }), rateBps: rate, safeRateBps: rate },
        });
        expect([undefined, 0, 1, 2, 3, 4, 5]).toContain(abandon?.toRung);
        expect(abandon?.reason ?? '').not.toContain('NaN');
      }),
    );
  });
});
