import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ladder } from '../core';
import type { Forecast } from '../qoe';
import {
  createAbandonState,
  createSelectState,
  judgeRequest,
  selectRung,
  type AbandonObservation,
  type SelectObservation,
} from '.';

function ladderOf(...bitratesMbps: number[]): Ladder {
  return {
    mediaType: 'video',
    rungs: bitratesMbps.map((mbps, index) => ({
      index,
      representationId: String(index),
      bitrateBps: mbps * 1e6,
    })),
  };
}
const six = ladderOf(0.3, 0.6, 1.2, 2.4, 4, 6);

/** Safe is 0.9 of the expected rate unless told. */
function expecting(paths: Record<string, number>, more: Partial<Forecast> = {}): Forecast {
  const list = Object.entries(paths).map(([pathId, mbps]) => ({
    pathId,
    rateBps: mbps * 1e6,
    safeRateBps: mbps * 0.9e6,
    usable: mbps > 0,
  }));
  const rateBps = list.reduce((sum, path) => sum + path.rateBps, 0);
  return {
    rateBps,
    safeRateBps: rateBps * 0.9,
    confidence: 0.9,
    basis: 'paths',
    paths: list,
    ...more,
  };
}

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
      '4.0 Mbit/s: wifi 4.8 + lte 1.9 Mbit/s expected, 12 s buffered',
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
    ['up needs more than stay: stays', { currentRung: 3, forecast: expecting({ wifi: 4.5 }) }, 3],
    [
      'the same rate keeps the higher rung',
      { currentRung: 4, forecast: expecting({ wifi: 4.5 }) },
      4,
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
    ['audio is taken off', { currentRung: 4, reservedBps: 3e6 }, 3],
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

/** 6 Mbit/s for 2 s: 1.5 MB, a third of it there after 1 s. */
function inFlight(more: Partial<AbandonObservation>): AbandonObservation {
  return {
    requestId: 1,
    ladder: six,
    rung: 5,
    elapsedMs: 1000,
    bytesLoaded: 500_000,
    bytesTotal: 1_500_000,
    segmentDurationMs: 2000,
    bufferMs: 3000,
    forecast: expecting({ wifi: 4.8 }),
    ...more,
  };
}
const judge = (more: Partial<AbandonObservation>) =>
  judgeRequest(createAbandonState(), inFlight(more));

describe('abandonment', () => {
  test.each<[string, Partial<AbandonObservation>, number | undefined]>([
    ['in time: goes on', {}, undefined],
    ['would stall: the best rung that arrives', { forecast: expecting({ wifi: 2 }) }, 2],
    [
      'nothing arrives in time: the first to arrive',
      { forecast: expecting({ wifi: 0.5 }), bufferMs: 600 },
      0,
    ],
    ['just started: goes on', { elapsedMs: 200, forecast: expecting({ wifi: 1 }) }, undefined],
    [
      'nearly done: goes on',
      { bytesLoaded: 1_400_000, forecast: expecting({ wifi: 0.1 }) },
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
    ['unknown length is estimated', { bytesTotal: undefined, forecast: expecting({ wifi: 2 }) }, 2],
  ])('%s', (_name, more, toRung) => {
    const { decision } = judge(more);
    expect(decision.abandon ? decision.toRung : undefined).toBe(toRung);
  });

  test('a lost path is judged at once', () => {
    const before = judge({ elapsedMs: 100, forecast: expecting({ wifi: 4.8, lte: 1.5 }) });
    expect(before.decision.abandon).toBe(false);
    const lost = inFlight({ elapsedMs: 200, forecast: expecting({ wifi: 0, lte: 1.5 }) });
    const after = judgeRequest(before.state, lost);
    expect(after.decision.abandon).toBe(true);
    expect(after.reason).toMatch(/gave up 6.0 Mbit\/s for .*path lost/);
  });

  test('never gives up for something that finishes later, and only downwards', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        fc.integer({ min: 0, max: 2_000_000 }),
        fc.integer({ min: 0, max: 30_000 }),
        (rung, mbps, bytesLoaded, bufferMs) => {
          const bytesTotal = ((six.rungs[rung]?.bitrateBps ?? 0) * 2) / 8;
          const { decision } = judge({
            rung,
            bytesLoaded,
            bytesTotal,
            bufferMs,
            forecast: expecting({ wifi: mbps }),
          });
          if (!decision.abandon) return;
          expect(decision.toRung).toBeLessThan(rung);
          expect(decision.toRung).toBeGreaterThanOrEqual(0);
          const finishMs = ((bytesTotal - bytesLoaded) * 8000) / (mbps * 1e6);
          const restartMs = ((six.rungs[decision.toRung]?.bitrateBps ?? 0) * 2000) / (mbps * 1e6);
          expect(restartMs).toBeLessThan(finishMs);
        },
      ),
    );
  });

  test('bad numbers never throw and never leave the ladder', () => {
    const any = fc.double();
    fc.assert(
      fc.property(any, any, any, any, any, (rate, loaded, total, buffer, elapsed) => {
        const { decision, reason } = judge({
          bytesLoaded: loaded,
          bytesTotal: total,
          bufferMs: buffer,
          elapsedMs: elapsed,
          forecast: { ...expecting({ wifi: 1 }), rateBps: rate, safeRateBps: rate },
        });
        expect([0, 1, 2, 3, 4, 5]).toContain(decision.toRung);
        expect(reason).not.toContain('NaN');
      }),
    );
  });
});
