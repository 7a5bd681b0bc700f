import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import {
  createPathEstimator,
  forecast,
  observePathEvent,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
  type PathEstimatorState,
} from '.';
import { unknownRate } from './path-rate';

const anyNumber = fc.oneof(fc.double(), fc.integer({ min: 0, max: 1e7 }));
const pathId = fc.constantFrom('wifi', 'lte', '__proto__');
const step = fc.oneof(
  fc.record({
    kind: fc.constant('samples' as const),
    atMs: anyNumber,
    inOrderBytes: anyNumber,
    subflows: fc.array(
      fc.record({
        pathId,
        bytes: anyNumber,
        state: fc.constantFrom('active', 'backup', 'connecting', 'closed' as const),
      }),
      { maxLength: 4 },
    ),
  }),
  fc.record({
    kind: fc.constant('event' as const),
    atMs: anyNumber,
    pathId,
    event: fc.constantFrom(
      'interface-down',
      'interface-up',
      'subflow-closed',
      'subflow-established',
      'subflow-priority',
      'address-removed' as const,
    ),
    backup: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('start' as const), id: fc.nat({ max: 3 }), atMs: anyNumber }),
  fc.record({
    kind: fc.constant('end' as const),
    id: fc.nat({ max: 3 }),
    startMs: anyNumber,
    atMs: anyNumber,
    bytes: anyNumber,
  }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function apply(state: PathEstimatorState, one: Step): PathEstimatorState {
  switch (one.kind) {
    case 'samples':
      return observeSamples(
        state,
        batch(one.atMs, [
          connection(
            one.subflows.map((sub, i) =>
              subflow(sub.pathId, sub.bytes, { state: sub.state, subflowId: String(i) }),
            ),
            { inOrderBytes: one.inOrderBytes },
          ),
        ]),
      );
    case 'event':
      return observePathEvent(state, {
        kind: one.event,
        monotonicMs: one.atMs,
        pathId: one.pathId,
        backup: one.backup,
      });
    case 'start':
      return observeRequestStart(state, { requestId: one.id, startMs: one.atMs });
    case 'end':
      return observeRequestEnd(state, {
        requestId: one.id,
        startMs: one.startMs,
        endMs: one.atMs,
        bytes: one.bytes,
        outcome: 'ok',
      });
  }
}

describe('forecast', () => {
  test('is finite, not negative and safe below expected for any input', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), anyNumber, (steps, nowMs) => {
        let state = createPathEstimator();
        for (const one of steps) state = apply(state, one);
        const result = forecast(state, nowMs);
        for (const one of [result, ...result.paths]) {
          expect(Number.isFinite(one.rateBps)).toBe(true);
          expect(one.safeRateBps).toBeGreaterThanOrEqual(0);
          expect(one.safeRateBps).toBeLessThanOrEqual(one.rateBps);
        }
        expect(result.confidence).toBeGreaterThanOrEqual(0);
        expect(result.confidence).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  test('never promises more than the link has ever carried in any interval', () => {
    const moves = fc.array(
      fc.record({
        ms: fc.integer({ min: 20, max: 400 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        request: fc.boolean(),
      }),
      { minLength: 1, maxLength: 200 },
    );
    const linkBps = 8e6;
    fc.assert(
      fc.property(moves, (list) => {
        let state = createPathEstimator();
        let nowMs = 1000;
        let bytes = 0;
        let open = false;
        let id = 0;
        let startMs = 0;
        state = observeSamples(state, batch(nowMs, [connection([subflow('wifi', 0)])]));
        for (const move of list) {
          if (move.request !== open) {
            if (open) {
              state = observeRequestEnd(state, {
                requestId: id,
                startMs,
                endMs: nowMs,
                bytes: 0,
                outcome: 'ok',
              });
            } else {
              id += 1;
              startMs = nowMs;
              state = observeRequestStart(state, { requestId: id, startMs });
            }
            open = move.request;
          }
          nowMs += move.ms;
          bytes += (linkBps * move.share * move.ms) / 8000;
          state = observeSamples(state, batch(nowMs, [connection([subflow('wifi', bytes)])]));
          expect(forecast(state, nowMs).rateBps).toBeLessThanOrEqual(linkBps * 1.001);
        }
      }),
    );
  });

  test('without a feed it is the throughput of requests, with shared busy time', () => {
    let state = createPathEstimator();
    for (let i = 0; i < 6; i += 1) {
      const startMs = i * 2000;
      // Audio and video at once: 1 MB + 0.1 MB in a second.
      for (const [requestId, bytes] of [
        [2 * i, 100_000],
        [2 * i + 1, 1_000_000],
      ] as const) {
        state = observeRequestStart(state, { requestId, startMs });
        state = observeRequestEnd(state, {
          requestId,
          startMs,
          endMs: startMs + 1000,
          bytes,
          outcome: 'ok',
        });
      }
    }
    const result = forecast(state, 12_000);
    expect(result.basis).toBe('requests');
    expect(result.rateBps).toBeGreaterThan(4e6);
    expect(result.rateBps).toBeLessThanOrEqual(8.8e6);
    expect(result.safeRateBps).toBeLessThan(result.rateBps);
    expect(result.confidence).toBeGreaterThan(0.9);
  });

  test('a refused subflow does not keep whole requests from raising a bound', () => {
    const rateAfter = (lostBytes: number): number => {
      const seen = (wifi: number, lte: number) => [subflow('wifi', wifi), subflow('lte', lte)];
      let state = createPathEstimator();
      for (const [ms, subflows] of [seen(0, 0), seen(5000, lostBytes)].entries())
        state = observeSamples(state, batch(100 * ms, [connection(subflows)]));
      const lost = { kind: 'interface-down', monotonicMs: 150, pathId: 'lte' } as const;
      state = observePathEvent(state, lost);
      const request = { requestId: 1, startMs: 200, endMs: 260, bytes: 75_000 };
      state = observeRequestEnd(state, { ...request, outcome: 'ok' });
      const wifi = state.paths.get('wifi');
      if (!wifi) throw new Error('the path was sampled');
      const rate = { ...unknownRate, floorBps: 0.4e6, measuredBytes: 5000, measuredAtMs: 100 };
      const paths = new Map([...state.paths, ['wifi', { ...wifi, rate }]]);
      return forecast({ ...state, paths }, 300).rateBps;
    };
    expect(rateAfter(0)).toBeCloseTo(10e6, -5);
    // Its capacity is part of what requests reached.
    expect(rateAfter(100_000)).toBeCloseTo(0.4e6, -5);
  });

  test('a path that never delivered does not keep an earlier request above what is measured now', () => {
    const rateWith = (unused: boolean): number => {
      let state = createPathEstimator();
      let bytes = 0;
      for (let ms = 0; ms <= 8000; ms += 100) {
        const isFast = ms <= 4000;
        if (ms % 4000 === 0) state = observeRequestStart(state, { requestId: ms, startMs: ms });
        bytes += isFast ? 62_500 : 6250;
        const others = unused ? [subflow('lte', 0)] : [];
        state = observeSamples(state, batch(ms, [connection([subflow('wifi', bytes), ...others])]));
        if (ms === 3900) {
          const request = { requestId: 0, startMs: 0, endMs: ms, bytes };
          state = observeRequestEnd(state, { ...request, outcome: 'ok' });
        }
      }
      return forecast(state, 8000).rateBps;
    };
    expect(rateWith(false)).toBeLessThan(1e6);
    expect(rateWith(true)).toBeLessThan(1e6);
  });

  test('cached, tiny and failed answers do not count', () => {
    let state = createPathEstimator();
    const end = { requestId: 1, startMs: 0, bytes: 1e6, outcome: 'ok' as const };
    state = observeRequestEnd(state, { ...end, endMs: 1 });
    state = observeRequestEnd(state, { ...end, endMs: 1000, bytes: 500 });
    state = observeRequestEnd(state, { ...end, endMs: 1000, outcome: 'failed' });
    expect(forecast(state, 1000)).toMatchObject({ rateBps: 0, confidence: 0, basis: 'requests' });
  });

  test('bytes that had arrived before their request do not count', () => {
    const rateAfter = (bytes: number, earlyBytes: number): number => {
      const request = { requestId: 1, startMs: 0, endMs: 1000, bytes, earlyBytes };
      const state = observeRequestEnd(createPathEstimator(), { ...request, outcome: 'ok' });
      return forecast(state, 1000).rateBps;
    };
    expect(rateAfter(1_000_000, 600_000)).toBeGreaterThan(0);
    expect(rateAfter(1_000_000, 600_000)).toBe(rateAfter(400_000, 0));
    expect(rateAfter(1_000_000, 1_000_000)).toBe(0);
  });

  test('a silent feed is replaced by requests', () => {
    let state = createPathEstimator();
    let bytes = 0;
    state = observeRequestStart(state, { requestId: 1, startMs: 0 });
    for (let ms = 0; ms <= 2000; ms += 100) {
      state = observeSamples(state, batch(ms, [connection([subflow('wifi', bytes)])]));
      bytes += 50_000;
    }
    state = observeRequestEnd(state, {
      requestId: 1,
      startMs: 0,
      endMs: 2000,
      bytes,
      outcome: 'ok',
    });
    expect(forecast(state, 2100).basis).toBe('paths');
    expect(forecast(state, 9000).basis).toBe('requests');
    expect(forecast(state, 9000).rateBps).toBeCloseTo(4e6, -6);
  });
});
