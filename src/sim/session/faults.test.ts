import { describe, expect, test } from 'vitest';
import { batch, connection, subflow } from '../../core/testing/samples';
import { createBrain, stepBrain, type BrainDecision, type BrainInput } from '../../brain';
import { expectSane, played, undisturbed } from './testing/disturbed';

/** Longer than every time of a session: a clock may jump back by this time. */
const HOUR_MS = 3_600_000;

const isTick = ({ trigger }: BrainDecision): boolean => trigger === 'tick';

/** The same input at another time. */
function shift(input: BrainInput, ms: number): BrainInput {
  const at = (value: number): number => value + ms;
  switch (input.type) {
    case 'samples':
      return { ...input, batch: { ...input.batch, monotonicMs: at(input.batch.monotonicMs) } };
    case 'path-event':
      return { ...input, event: { ...input.event, monotonicMs: at(input.event.monotonicMs) } };
    case 'request-start':
      return { ...input, request: { ...input.request, startMs: at(input.request.startMs) } };
    case 'request-end': {
      const { startMs, endMs, firstByteMs } = input.request;
      const first = firstByteMs === undefined ? {} : { firstByteMs: at(firstByteMs) };
      const request = { ...input.request, startMs: at(startMs), endMs: at(endMs), ...first };
      return { ...input, request };
    }
    case 'decide': {
      const { observation } = input;
      const requests = observation.requests.map((one) => ({ ...one, startMs: at(one.startMs) }));
      const monotonicMs = at(observation.monotonicMs);
      return { ...input, observation: { ...observation, monotonicMs, requests } };
    }
    default:
      return input;
  }
}

/** True time of an input. Undefined if it has none. */
function timeOf(input: BrainInput): number | undefined {
  switch (input.type) {
    case 'samples':
      return input.batch.monotonicMs;
    case 'path-event':
      return input.event.monotonicMs;
    case 'request-start':
      return input.request.startMs;
    case 'request-end':
      return input.request.endMs;
    case 'decide':
      return input.observation.monotonicMs;
    default:
      return undefined;
  }
}
const during = (input: BrainInput, fromMs: number, toMs: number): boolean => {
  const ms = timeOf(input);
  return ms !== undefined && ms >= fromMs && ms < toMs;
};

describe('a clock that jumps for five seconds', () => {
  const everything = ['samples', 'path-event', 'request-start', 'request-end', 'decide'];
  test.each([
    ['samples forwards', ['samples'], HOUR_MS],
    ['samples backwards', ['samples'], -HOUR_MS],
    ['observations forwards', ['decide'], HOUR_MS],
    ['observations backwards', ['decide'], -HOUR_MS],
    ['all forwards', everything, HOUR_MS],
    ['all backwards', everything, -HOUR_MS],
  ])('%s: no path is closed, nothing stalls, and it is trusted again', (_name, types, jumpMs) => {
    const baseMs = 2 * HOUR_MS;
    // After the jump a path gets slow: a brain that still measures notices it.
    const slow = { rateBps: 1e6 };
    const result = played({
      durationMs: 34_000,
      events: [{ atMs: 26_000, kind: 'link-change', link: 'wifi', ab: slow, ba: slow }],
      filterInput: (input) => {
        const jumps = types.includes(input.type) && during(input, 15_000, 20_000);
        return [shift(input, baseMs + (jumps ? jumpMs : 0))];
      },
    });
    expectSane(result);
    const closed = result.decisions.filter(({ paths: desired }) =>
      desired.some(({ desired: state }) => state === 'closed'),
    );
    expect(closed).toEqual([]);
    const after = result.decisions.filter(
      ({ monotonicMs }) => monotonicMs > baseMs + 23_000 && monotonicMs < baseMs + 100_000,
    );
    expect(after.length).toBeGreaterThan(60);
    expect(after.every(({ trusted }) => trusted)).toBe(true);
    const ticks = after.filter(isTick);
    const before = ticks.filter(({ monotonicMs }) => monotonicMs < baseMs + 26_000).at(-1);
    expect(before?.forecast.rateBps).toBeGreaterThan(4.5e6);
    expect(ticks.at(-1)?.forecast.rateBps).toBeLessThan(4e6);
  });
});

describe('false samples', () => {
  test('a burst after silence lifts the forecast above the links only briefly', () => {
    // Every 3 s the counters stop for 0.8 s, and then all bytes arrive at once.
    let kept: (BrainInput & { type: 'samples' }) | undefined;
    const result = played({
      filterInput: (input) => {
        if (input.type !== 'samples') return [input];
        const { monotonicMs } = input.batch;
        const isSilent = monotonicMs > 5000 && monotonicMs % 3000 < 800;
        if (!isSilent) {
          kept = input;
          return [input];
        }
        return [{ ...input, batch: { ...(kept ?? input).batch, monotonicMs } }];
      },
    });
    expectSane(result);
    const forecasts = result.decisions
      .filter((one) => isTick(one) && one.monotonicMs > 6000)
      .map(({ forecast }) => forecast);
    const above = forecasts.filter(({ safeRateBps }) => safeRateBps > 7e6);
    expect(above.length / forecasts.length).toBeLessThan(0.1);
    expect(Math.max(...forecasts.map(({ rateBps }) => rateBps))).toBeLessThan(2 * 7e6);
  });

  test('three seconds without samples: no estimate meanwhile, the old one a second later', () => {
    const result = played({
      filterInput: (input) =>
        input.type === 'samples' && during(input, 15_000, 20_000) ? [] : [input],
    });
    expectSane(result);
    const trusted = (fromMs: number, toMs: number): boolean[] =>
      result.decisions
        .filter(({ monotonicMs }) => monotonicMs >= fromMs && monotonicMs < toMs)
        .map(({ trusted: is }) => is);
    expect(trusted(18_500, 20_000)).not.toContain(true);
    expect(trusted(21_000, 30_000)).not.toContain(false);
  });

  test.each([NaN, Infinity, 1e300, -1])('all numbers are %d for two seconds', (lie) => {
    const spoil = (value: unknown): unknown => {
      if (typeof value === 'number') return lie;
      if (Array.isArray(value)) return value.map(spoil);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoil(one)]));
    };
    const result = played({
      filterInput: (input) => [
        during(input, 15_000, 17_000) ? (spoil(input) as BrainInput) : input,
      ],
    });
    expectSane(result);
    const after = result.decisions.filter(
      (one) => isTick(one) && one.monotonicMs > 22_000 && one.monotonicMs < 40_000,
    );
    expect(after.length).toBeGreaterThan(30);
    expect(after.every(({ trusted }) => trusted)).toBe(true);
    const last = after.at(-1)?.forecast.rateBps ?? 0;
    expect(last).toBeGreaterThan(4e6);
    expect(last).toBeLessThan(9e6);
  });

  test('requests that end without a start, or twice, still update the estimates', () => {
    const result = played({
      filterInput: (input) => {
        if (input.type === 'request-start') return [];
        return input.type === 'request-end' ? [input, input] : [input];
      },
    });
    expectSane(result);
    expect(result.decisions.at(-1)?.trusted).toBe(true);
    expect(result.summary.averageBitrateBps).toBeGreaterThan(
      0.6 * undisturbed.summary.averageBitrateBps,
    );
  });

  test('removed paths are forgotten in time, and the remaining one is used', () => {
    let state = createBrain({ policy: 'model', abr: 'multipath' });
    const take = (input: BrainInput): BrainDecision | undefined => {
      const step = stepBrain(state, input);
      state = step.state;
      return step.decision;
    };
    const { inputs } = undisturbed;
    const asked = inputs.find((input) => input.type === 'decide');
    if (asked?.type !== 'decide') throw new Error('nothing was decided');
    let sizes = 0;
    let last: BrainDecision | undefined;
    take({ type: 'request-start', request: { requestId: 1, startMs: 0 } });
    for (let index = 1; index <= 1000; index += 1) {
      const monotonicMs = 100 * index;
      const passing = `usb${Math.floor(index / 3)}`;
      take({
        type: 'samples',
        batch: batch(monotonicMs, [
          connection([subflow('wifi', 50_000 * index), subflow(passing, 1000 * index)]),
        ]),
      });
      last = take({
        type: 'decide',
        observation: { ...asked.observation, monotonicMs, trigger: 'tick' },
      });
      expect(last?.paths.find(({ pathId }) => pathId === 'wifi')?.desired).not.toBe('closed');
      if (index === 500) sizes = sizeOf(state);
    }
    expect(last?.paths.length).toBeLessThanOrEqual(64);
    expect(last?.paths.find(({ pathId }) => pathId === 'wifi')?.desired).toBe('active');
    expect(last?.forecast.rateBps).toBeGreaterThan(3e6);
    expect(sizeOf(state)).toBeLessThan(1.2 * sizes);
  });
});

/** Characters of a state, maps included. */
function sizeOf(state: unknown): number {
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Map ? [...value.entries()] : value;
  return JSON.stringify(state, plain).length;
}
