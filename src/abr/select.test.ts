import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Forecast } from '../qoe';
import { createSelectState, selectRung, type SelectObservation } from '.';
import { expecting, ladderOf, six } from './testing/builders';

const unknown: Forecast = {
  rateBps: 0,
  safeRateBps: 0,
  confidence: 0,
  basis: 'requests',
  paths: [],
};

function observe(more: Partial<SelectObservation>): SelectObservation {
  return {
    ladder: six,
    currentRung: 2,
    bufferMs: 12_000,
    segmentDurationMs: 2000,
    forecast: expecting({ wifi: 4.8, lte: 1.9 }),
    ...more,
  };
}
const select = (more: Partial<SelectObservation>) => selectRung(createSelectState(), observe(more));

describe('rung selection', () => {
  test('the reason is a sentence for the viewer', () => {
    expect(select({ currentRung: 4 }).reason).toBe(
      '6.0 Mbit/s: wifi 4.8 + lte 1.9 Mbit/s expected, 12 s buffered',
    );
  });

  test.each<[string, Partial<SelectObservation>, number]>([
    ['start with nothing known: lowest', { currentRung: -1, bufferMs: 0, forecast: unknown }, 0],
    ['start with known paths: at once high', { currentRung: -1, bufferMs: 0 }, 4],
    [
      'start with a guess: lowest',
      { currentRung: -1, bufferMs: 0, forecast: expecting({ wifi: 8 }, { confidence: 0.05 }) },
      0,
    ],
    ['playing with nothing known: stay', { forecast: unknown }, 2],
    ['all paths lost: lowest', { forecast: expecting({ wifi: 0, lte: 0 }, { confidence: 1 }) }, 0],
    ['plenty: top', { forecast: expecting({ wifi: 20 }) }, 5],
    ['little buffer halves the room', { bufferMs: 0, currentRung: 5 }, 3],
    ['long buffer uses all of it', { bufferMs: 25_000, currentRung: 5 }, 5],
    ['up needs more than stay: stays', { currentRung: 3, forecast: expecting({ wifi: 4.2 }) }, 3],
    [
      'the same rate keeps the higher rung',
      { currentRung: 4, forecast: expecting({ wifi: 4.2 }) },
      4,
    ],
    [
      'a long buffer is not spent on a rung far beyond the rate',
      { currentRung: 4, bufferMs: 16_000, forecast: expecting({ wifi: 3.3 }) },
      3,
    ],
    // Safe 5.4, expected 6: with three segments in hand the safe rate is worth a step.
    [
      'a few segments are enough to go up',
      { currentRung: 3, bufferMs: 6000, forecast: expecting({ wifi: 6 }) },
      4,
    ],
    [
      'a long buffer trusts the expected rate',
      { bufferMs: 16_000, forecast: expecting({ wifi: 4.5 }, { safeRateBps: 1.5e6 }) },
      4,
    ],
    [
      'a short buffer does not',
      { bufferMs: 6000, forecast: expecting({ wifi: 4.5 }, { safeRateBps: 1.5e6 }) },
      2,
    ],
    [
      'hardly measured: one step at a time',
      { currentRung: 1, forecast: expecting({ wifi: 50 }, { confidence: 0.3 }) },
      2,
    ],
    [
      'hardly measured: down is free',
      { currentRung: 5, forecast: expecting({ wifi: 0.9 }, { confidence: 0.3 }) },
      1,
    ],
    ['audio is taken off', { currentRung: 4, reservedBps: 3.5e6 }, 3],
    ['a large segment is refused', { currentRung: 4, nextSegmentBytes: [1, 1, 1, 1, 4e6, 4e6] }, 3],
    ['a small one is taken', { currentRung: 4, nextSegmentBytes: [1, 1, 1, 1, 1e6, 1.1e6] }, 5],
  ])('%s', (_name, more, toRung) => {
    expect(select(more).decision.toRung).toBe(toRung);
  });

  test('a dip is ridden out on a long buffer, a lost path is not', () => {
    const first = selectRung(createSelectState(), observe({ currentRung: 4 }));
    const dip = expecting({ wifi: 3.4, lte: 1.4 }, { safeRateBps: 2.5e6 });
    expect(
      selectRung(first.state, observe({ currentRung: 4, forecast: dip })).decision.toRung,
    ).toBe(4);
    const lost = expecting({ wifi: 4.8, lte: 0 }, { safeRateBps: 2.3e6 });
    const after = selectRung(
      first.state,
      observe({ currentRung: 4, bufferMs: 8000, forecast: lost }),
    );
    expect(after.decision.toRung).toBe(2);
    expect(after.reason).toMatch(/lte not in use.*path lost/);
  });

  const anything = fc.double();
  const anyForecast = fc
    .record({ rate: anything, safe: anything, confidence: anything })
    .map(({ rate, safe, confidence }): Forecast => ({
      rateBps: rate,
      safeRateBps: safe,
      confidence,
      basis: 'paths',
      paths: [{ pathId: 'wifi', rateBps: rate, safeRateBps: safe, usable: true }],
    }));
  const anyLadder = fc
    .uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 })
    .map((list) => ladderOf(...list.sort((a, b) => a - b)));

  test('never leaves the ladder, whatever it is told', () => {
    fc.assert(
      fc.property(
        anyLadder,
        anyForecast,
        anything,
        anything,
        anything,
        fc.array(fc.option(anything, { nil: undefined })),
        (ladder, forecast, bufferMs, segmentDurationMs, currentRung, nextSegmentBytes) => {
          const { decision, reason } = select({
            ladder,
            forecast,
            bufferMs,
            segmentDurationMs,
            currentRung,
            nextSegmentBytes,
          });
          expect(ladder.rungs.map(({ index }) => index)).toContain(decision.toRung);
          expect(reason).not.toContain('NaN');
        },
      ),
    );
    expect(select({ ladder: ladderOf() }).decision.toRung).toBe(-1);
    expect(select({ ladder: ladderOf(9), forecast: unknown, bufferMs: 0 }).decision.toRung).toBe(0);
  });

  test('more rate never gives less picture, more buffer neither', () => {
    const rate = fc.double({ min: 0.01, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        anyLadder,
        rate,
        rate,
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: -1, max: 7 }),
        (ladder, a, b, buffer1, buffer2, current) => {
          const currentRung = Math.min(current, ladder.rungs.length - 1);
          const at = (mbps: number, bufferMs: number): number =>
            select({ ladder, currentRung, bufferMs, forecast: expecting({ wifi: mbps }) }).decision
              .toRung;
          expect(at(Math.max(a, b), buffer1)).toBeGreaterThanOrEqual(at(Math.min(a, b), buffer1));
          expect(at(a, Math.max(buffer1, buffer2))).toBeGreaterThanOrEqual(
            at(a, Math.min(buffer1, buffer2)),
          );
        },
      ),
    );
  });
});
