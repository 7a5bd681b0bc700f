import { expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import {
  createPathEstimator,
  forecast,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
  setEfficiency,
  type PathEstimatorState,
} from '.';

const SAMPLE_MS = 100;
const CHUNK_MS = 500;
/** Of each 500 ms, data is due in the first ones. */
const DUE_MS = 400;
/** Bytes of the first path: a chunk in 200 ms, then a little of what else the encoder has. The second path drains a long queue. */
const WIFI_BYTES = [50_000, 50_000, 4000, 4000, 0];
const LTE_BYTES = [12_500, 12_500, 12_500, 12_500, 0];

/** Ten seconds of a growing segment: each of its chunks is due for 400 ms. @param paced its encoder's pace is known */
function grow(paced: boolean): { state: PathEstimatorState; endMs: number } {
  const received = { wifi: 0, lte: 0 };
  const sampled = (one: PathEstimatorState, ms: number): PathEstimatorState => {
    const subflows = [subflow('lte', received.lte), subflow('wifi', received.wifi)];
    const inOrderBytes = received.lte + received.wifi;
    return observeSamples(one, batch(ms, [connection(subflows, { inOrderBytes })]));
  };
  let state = sampled(createPathEstimator(), 0);
  const endMs = 10_000;
  for (let startMs = 0; startMs < endMs; startMs += CHUNK_MS) {
    const pacedUntilMs = paced ? startMs + CHUNK_MS : undefined;
    state = observeRequestStart(state, { requestId: 1, startMs, pacedUntilMs });
    for (const [place, bytes] of WIFI_BYTES.entries()) {
      received.wifi += bytes;
      received.lte += LTE_BYTES[place] ?? 0;
      const ms = startMs + (place + 1) * SAMPLE_MS;
      if (ms - startMs === DUE_MS) {
        const end = { requestId: 1, startMs, endMs: ms, bytes: 158_000, outcome: 'ok' as const };
        state = observeRequestEnd(state, end);
      }
      state = sampled(state, ms);
    }
  }
  return { state, endMs };
}

const wifiBps = ({ state, endMs }: ReturnType<typeof grow>): number =>
  forecast(state, endMs).paths.find(({ pathId }) => pathId === 'wifi')?.rateBps ?? 0;

test('what an encoder paces is no slow path, and no poor set', () => {
  expect(wifiBps(grow(false))).toBeLessThan(3e6);
  const paced = grow(true);
  expect(wifiBps(paced)).toBeGreaterThan(3.5e6);
  expect(setEfficiency(paced.state, ['lte', 'wifi'])).toBe(1);
});

test('a network that falls behind the encoder is measured', () => {
  let state = observeSamples(
    createPathEstimator(),
    batch(0, [connection([subflow('wifi', 0)], { inOrderBytes: 0 })]),
  );
  state = observeRequestStart(state, { requestId: 1, startMs: 0, pacedUntilMs: CHUNK_MS });
  for (let ms = SAMPLE_MS; ms <= 5000; ms += SAMPLE_MS) {
    const bytes = 125 * ms;
    state = observeSamples(
      state,
      batch(ms, [connection([subflow('wifi', bytes)], { inOrderBytes: bytes })]),
    );
  }
  expect(wifiBps({ state, endMs: 5000 })).toBeCloseTo(1e6, -5);
  expect([...state.paths.values()].every(({ rate }) => rate.countedMs > 3000)).toBe(true);
});
