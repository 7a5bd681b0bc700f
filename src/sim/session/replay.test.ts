import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ladder } from '../../core';
import { batch, connection, subflow } from '../../core/testing/samples';
import { replay, type BrainConfig, type BrainInput, type BrainObservation } from '../../brain';
import { replayLog } from '../../journal';
import { play } from './testing/play';

const config: BrainConfig = { policy: 'model', abr: 'multipath' };
const bitratesBps = [300e3, 600e3, 1200e3, 2400e3, 4000e3];
const ladder: Ladder = {
  mediaType: 'video',
  rungs: bitratesBps.map((bitrateBps, index) => ({
    index,
    representationId: String(index),
    bitrateBps,
  })),
};

const absurd = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, -1, NaN, Infinity, -Infinity, 1e300),
  fc.integer({ min: 0, max: 1e6 }),
);
const timeMs = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 60_000 }) }, absurd);
const pathId = fc.constantFrom('wifi', 'lte', '__proto__', '');

const observations = fc.record({
  monotonicMs: timeMs,
  trigger: fc.constantFrom(
    'tick' as const,
    'segment' as const,
    'path-event' as const,
    'progress' as const,
  ),
  mediaType: fc.constantFrom('video' as const, 'audio' as const, undefined),
  ladders: fc.constantFrom<Ladder[][]>(
    [ladder],
    [],
    [{ ...ladder, rungs: ladder.rungs.slice(0, 1) }],
  ),
  currentRung: fc.record({ video: absurd }),
  bufferMs: fc.record({ video: absurd }),
  bufferTargetMs: fc.oneof(fc.constantFrom(2000, 60_000), absurd),
  playing: fc.boolean(),
  requests: fc.array(
    fc.record({
      requestId: fc.integer({ min: 0, max: 3 }),
      mediaType: fc.constantFrom('video' as const, undefined),
      rung: absurd,
      startMs: timeMs,
      bytesLoaded: absurd,
      bytesTotal: fc.option(absurd, { nil: undefined }),
      durationMs: absurd,
    }),
    { maxLength: 3 },
  ),
  nextSegments: fc.option(
    fc.record({ video: fc.array(fc.array(absurd, { maxLength: 6 }), { maxLength: 6 }) }),
    { nil: undefined },
  ),
  segmentDurationMs: fc.record({ video: absurd }),
  live: fc.option(fc.record({ latencyMs: absurd, availableMs: absurd }), { nil: undefined }),
  control: fc.constantFrom<BrainObservation['control'][]>('all', 'none', ['wifi']),
});

const inputs: fc.Arbitrary<BrainInput> = fc.oneof(
  fc.record({ type: fc.constant('decide' as const), observation: observations }),
  fc
    .tuple(timeMs, fc.array(fc.tuple(pathId, absurd, absurd), { maxLength: 3 }), absurd)
    .map(([ms, paths, inOrderBytes]): BrainInput => ({
      type: 'samples',
      batch: batch(ms, [
        connection(
          paths.map(([id, bytes, rcvRttUs]) => subflow(id, bytes, { rcvRttUs })),
          { inOrderBytes },
        ),
      ]),
    })),
  fc.record({
    type: fc.constant('path-event' as const),
    event: fc.record({
      monotonicMs: timeMs,
      kind: fc.constantFrom('interface-down', 'subflow-established', 'subflow-closed'),
      pathId,
    }),
  }),
  fc.record({
    type: fc.constant('request-start' as const),
    request: fc.record({ requestId: fc.integer({ min: 0, max: 3 }), startMs: timeMs }),
  }),
  fc.record({
    type: fc.constant('request-end' as const),
    request: fc.record({
      requestId: fc.integer({ min: 0, max: 3 }),
      startMs: timeMs,
      endMs: timeMs,
      bytes: absurd,
      outcome: fc.constantFrom('ok', 'abandoned', 'failed'),
      mediaType: fc.constantFrom('video' as const, undefined),
    }),
  }),
);

describe('the brain', () => {
  test('never throws, stays inside the ladder, and returns a line for any input', () => {
    fc.assert(
      fc.property(fc.array(inputs, { maxLength: 40 }), (all) => {
        const asked = all.flatMap((input) => (input.type === 'decide' ? [input.observation] : []));
        const decisions = replay(config, all);
        expect(decisions).toHaveLength(asked.length);
        for (const [i, { rungs, abandon, reason, pathReason, forecast }] of decisions.entries()) {
          const count = asked[i]?.ladders[0]?.rungs.length ?? 0;
          for (const rung of [rungs.video, abandon?.toRung]) {
            if (rung === undefined) continue;
            expect(rung).toBeGreaterThanOrEqual(0);
            expect(rung).toBeLessThan(count);
          }
          expect(forecast.safeRateBps).toBeLessThanOrEqual(forecast.rateBps);
          expect(`${reason} ${pathReason}`).toMatch(/^[^\n]+$/);
          expect(`${reason} ${pathReason}`).not.toMatch(/NaN|undefined|\[object/);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('decides the same again from inputs that passed through a log', () => {
    fc.assert(
      fc.property(fc.array(inputs, { maxLength: 40 }), (all) => {
        const written = JSON.parse(JSON.stringify(all)) as BrainInput[];
        expect(JSON.stringify(replay(config, written))).toBe(JSON.stringify(replay(config, all)));
      }),
      { numRuns: 100 },
    );
  });

  test.each(['model', 'metered', 'genetic'])('a session with %s replays bit by bit', (policy) => {
    const played = play({
      paths: [
        { id: 'wifi', rateBps: 5e6, delayMs: 15 },
        { id: 'lte', rateBps: 2e6, delayMs: 40 },
      ],
      config: { policy, abr: 'multipath' },
      durationMs: 15_000,
      journal: true,
    });
    const read = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
    const again = replay({ policy, abr: 'multipath' }, read(played.inputs));
    expect(played.decisions.length).toBeGreaterThan(150);
    expect(JSON.stringify(again)).toBe(JSON.stringify(played.decisions));
    // The session's true events, recorded during the session.
    expect(replayLog(read(played.events))).toEqual({ decisions: played.decisions.length });
  });
});
