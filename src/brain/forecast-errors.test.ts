import { describe, expect, it } from 'vitest';
import type { BrainObservation } from '.';
import { withForecast } from './decide';
import {
  addError,
  beginSegment,
  endSegment,
  errorConfig,
  expectedOf,
  expectRate,
  forecastError,
  forgetExpected,
  meanError,
  noErrors,
  type ExpectedRate,
  type ForecastErrors,
} from './forecast-errors';
import {
  configureBrain,
  judgeAgain,
  judgeForecast,
  observeBrainRequestEnd,
  observeBrainRequestStart,
} from './observe';
import { createBrain, type BrainState } from './state';
import { uncertaintyConfig } from './uncertainty';

const expected = (atMs: number, more: Partial<ExpectedRate> = {}): ExpectedRate => ({
  atMs,
  rateBps: 4e6,
  spread: 0.3,
  pendingBytes: 0,
  ...more,
});
const after = (errors: readonly number[]): number =>
  meanError(errors.reduce((sum, error) => addError(sum, error), noErrors));

describe('addError', () => {
  it('widens with errors of both signs, and narrows with good forecasts', () => {
    expect(after([])).toBeCloseTo(errorConfig.first, 9);
    expect(after([0.7, 0.7, 0.7])).toBeGreaterThan(errorConfig.first);
    expect(after([-0.7, -0.7, -0.7])).toBeCloseTo(after([0.7, 0.7, 0.7]), 9);
    expect(after(Array<number>(40).fill(0))).toBeLessThan(0.02);
  });

  it('takes no error that is no number, and limits a large one', () => {
    expect(addError(noErrors, NaN)).toEqual(noErrors);
    expect(after([100])).toBe(after([errorConfig.maxError]));
  });
});

describe('forecastError', () => {
  it('is the logarithm of the rate over the forecast', () => {
    const arrived = { bytes: 500_000, startMs: 1000, endMs: 2000 };
    expect(forecastError(expected(900), arrived)).toBeCloseTo(0, 9);
    expect(forecastError(expected(900), { ...arrived, endMs: 3000 })).toBeCloseTo(-Math.LN2, 9);
  });

  it('counts pending bytes, which arrive first, from the decision on', () => {
    // 250,000 bytes were pending at 1000 ms; the request begins when they are there, at 1500 ms.
    const behind = expected(1000, { pendingBytes: 250_000 });
    const arrived = { bytes: 500_000, startMs: 1500, endMs: 2500 };
    expect(forecastError(behind, arrived)).toBeCloseTo(0, 9);
  });

  it('is no number for times that go back', () => {
    const back = { bytes: 500_000, startMs: 1000, endMs: 900 };
    expect(forecastError(expected(900), back)).toBeNaN();
    expect(addError(noErrors, forecastError(expected(900), { ...back, endMs: NaN }))).toBe(
      noErrors,
    );
  });
});

describe('a forecast', () => {
  it('belongs to the request that follows its decision', () => {
    const [first, second] = [expected(1000), expected(1000, { rateBps: 2e6, pendingBytes: 9000 })];
    const begun = beginSegment(expectRate(noErrors, first), 1);
    const both = beginSegment(expectRate(begun, second), 2);
    expect(expectedOf(both, 2)).toEqual(second);
    expect(expectedOf(endSegment(both, 2), 1)).toEqual(first);
    expect(expectedOf(both, 3)).toBeUndefined();
  });

  it('is replaced by a later decision about the same segment, however many there are', () => {
    const decisions = Array.from({ length: 50 }, (_, atMs) => expected(atMs));
    const begun = beginSegment(decisions.reduce(expectRate, noErrors), 1);
    expect(begun.inFlight).toEqual([{ requestId: 1, expected: decisions.at(-1) }]);
  });

  it('is none for a segment that is requested again without a decision', () => {
    const begun = beginSegment(expectRate(noErrors, expected(1000)), 1);
    const again = beginSegment(endSegment(begun, 1), 2);
    expect(expectedOf(again, 2)).toBeUndefined();
  });

  it('is forgotten at a jump of the clock', () => {
    const begun = expectRate(beginSegment(expectRate(noErrors, expected(1)), 1), expected(2));
    expect(forgetExpected(begun)).toEqual(noErrors);
  });

  it('is kept for few requests', () => {
    const endless = Array.from({ length: 50 }, (_, id) => id).reduce(
      (errors, id) => beginSegment(expectRate(errors, expected(id)), id),
      noErrors,
    );
    expect(endless.inFlight).toHaveLength(errorConfig.maxInFlight);
  });
});

const sums = ({ sum, weight }: ForecastErrors) => ({ sum, weight });

describe('the brain', () => {
  const path = { pathId: 'wifi', rateBps: 4e6, safeRateBps: 4e6, usable: true };
  const begin = (confidence: number, mediaType: 'video' | 'audio' = 'video'): BrainState => {
    const state = createBrain({ policy: 'model', abr: 'multipath' });
    const forecast = { rateBps: 4e6, safeRateBps: 4e6, confidence, basis: 'paths' as const };
    const errors = withForecast(
      state,
      {
        monotonicMs: 900,
        requests: [],
        ladders: [],
        currentRung: {},
      } as unknown as BrainObservation,
      { ...forecast, paths: [path] },
    );
    return observeBrainRequestStart(
      { ...state, errors },
      { requestId: 1, startMs: 900, mediaType },
    );
  };
  const end = {
    requestId: 1,
    mediaType: 'video',
    startMs: 1000,
    endMs: 3000,
    outcome: 'ok',
  } as const;

  it('learns from a segment that was slower than forecast', () => {
    const before = begin(1);
    const request = { ...end, bytes: 500_000 };
    expect(judgeForecast(before, request)).toEqual({
      bytes: 500_000,
      endMs: 3000,
      error: expect.closeTo(-Math.LN2) as number,
      spread: uncertaintyConfig.ofMeanError * errorConfig.first,
    });
    const { errors } = observeBrainRequestEnd(before, request);
    expect(meanError(errors)).toBeGreaterThan(meanError(before.errors));
    expect(errors.inFlight).toEqual([]);
  });

  it('judges a forecast by the bytes that arrived after the request', () => {
    const request = { ...end, bytes: 800_000, earlyBytes: 300_000 };
    expect(judgeForecast(begin(1), request)?.error).toBeCloseTo(-Math.LN2, 9);
  });

  it('counts what came for the next segment in the time of this one', () => {
    const half = observeBrainRequestEnd(begin(1), { ...end, bytes: 500_000 });
    const next = { ...end, requestId: 2, startMs: 3020, endMs: 3500, bytes: 600_000 };
    const early = { ...next, earlyBytes: 500_000 };
    expect(judgeAgain(half, early).newest?.error).toBeCloseTo(0, 9);
    const { errors } = observeBrainRequestEnd(half, early);
    expect(errors.sum).toBeCloseTo(half.errors.sum - Math.LN2, 9);
    expect(errors.weight).toBe(half.errors.weight);
    // The segment after that one was announced in another time.
    const after = observeBrainRequestEnd(half, early);
    const third = { ...early, requestId: 3, startMs: 3520, endMs: 4000 };
    expect(judgeAgain(after, third)).toEqual(after.errors);
  });

  it.each([
    ['nothing came', { startMs: 3020, earlyBytes: 0 }],
    ['the player waited for room in its buffer', { startMs: 4000, earlyBytes: 500_000 }],
    ['it is audio', { startMs: 3020, earlyBytes: 30_000, mediaType: 'audio' as const }],
  ])('leaves the last error where of the next one %s', (_, more) => {
    const judged = observeBrainRequestEnd(begin(1), { ...end, bytes: 500_000 });
    const next = { ...end, requestId: 2, endMs: 5000, bytes: 600_000, ...more };
    expect(observeBrainRequestEnd(judged, next).errors).toEqual(judged.errors);
  });

  it.each([
    ['a bound', begin(0.05), { ...end, bytes: 500_000 }],
    ['a small segment', begin(1), { ...end, bytes: 5000 }],
    ['one that was nearly whole', begin(1), { ...end, bytes: 500_000, earlyBytes: 480_000 }],
    ['an abandoned one', begin(1), { ...end, bytes: 500_000, outcome: 'abandoned' as const }],
    ['an audio segment', begin(1, 'audio'), { ...end, bytes: 500_000 }],
  ])('learns nothing from %s', (_, before, request) => {
    expect(judgeForecast(before, request)).toBeUndefined();
    expect(meanError(observeBrainRequestEnd(before, request).errors)).toBe(meanError(noErrors));
  });

  it('forgets errors with segments that come at the pace of their encoder', () => {
    const paced = { requestId: 1, startMs: 1000, endMs: 1050, bytes: 9000, outcome: 'ok' } as const;
    const wrong = Array<number>(20)
      .fill(errorConfig.maxError)
      .reduce((sum, error) => addError(sum, error), noErrors);
    const before = { ...begin(1), errors: { ...begin(1).errors, ...sums(wrong) } };
    const once = observeBrainRequestEnd(before, paced);
    expect(meanError(once.errors)).toBeLessThan(meanError(wrong));
    // Further chunks of the same segment are no further segments.
    expect(observeBrainRequestEnd(once, paced).errors).toEqual(once.errors);
    const abandoned = observeBrainRequestEnd(before, { ...paced, outcome: 'abandoned' });
    expect(meanError(abandoned.errors)).toBe(meanError(wrong));
  });

  it('keeps what it remembers of networks when the carriage changes', () => {
    const remembered = [{ pathId: 'wifi', address: '192.0.2.1', rateBps: 4e6 }];
    const config = { policy: 'all', abr: 'multipath' as const };
    const state = createBrain({ ...config, remembered });
    const over = configureBrain(state, { ...config, carriage: 'ranges' });
    expect(over.config).toMatchObject({ remembered, carriage: 'ranges' });
  });
});
