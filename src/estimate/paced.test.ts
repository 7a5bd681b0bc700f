import { expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import {
  createPathEstimator,
  forecast,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
  type PathEstimatorState,
} from '.';

const SAMPLE_MS = 100;

/**
 * A segment grows for ten seconds. In each interval the first path has the bytes of the list, which begins again at its end,
 * and the second one drains a long queue.
 */
function grow(
  pattern: readonly number[],
  pacedUntilMs?: number,
  known: PathEstimatorState = createPathEstimator(),
  fromMs = 0,
): { state: PathEstimatorState; endMs: number } {
  const received = { wifi: fromMs * 1000, lte: fromMs * 1000 };
  const sampled = (one: PathEstimatorState, ms: number): PathEstimatorState => {
    const subflows = [subflow('lte', received.lte), subflow('wifi', received.wifi)];
    const inOrderBytes = received.lte + received.wifi;
    return observeSamples(one, batch(ms, [connection(subflows, { inOrderBytes })]));
  };
  let state = sampled(known, fromMs);
  state = observeRequestStart(state, { requestId: 1, startMs: fromMs, pacedUntilMs });
  const endMs = fromMs + 10_000;
  for (let ms = fromMs; ms < endMs; ms += SAMPLE_MS) {
    received.wifi += pattern[((ms - fromMs) / SAMPLE_MS) % pattern.length] ?? 0;
    received.lte += 12_500;
    state = sampled(state, ms + SAMPLE_MS);
  }
  const end = { requestId: 1, startMs: fromMs, endMs, bytes: 0, outcome: 'ok' as const };
  return { state: observeRequestEnd(state, end), endMs };
}

const wifiBps = ({ state, endMs }: ReturnType<typeof grow>): number =>
  forecast(state, endMs).paths.find(({ pathId }) => pathId === 'wifi')?.rateBps ?? 0;

/** A chunk in 200 ms, then the few bytes that the encoder has finished meanwhile. */
const CHUNKS = [50_000, 50_000, 4000, 4000, 0];

test('a stream paced by its encoder does not lower the estimate of a path', () => {
  const download = grow(CHUNKS);
  expect(wifiBps(download)).toBeLessThan(3e6);
  const paced = grow(CHUNKS, 20_000);
  expect(wifiBps(paced)).toBeCloseTo(4e6, -5);
});

test('a network that falls behind the encoder is measured', () => {
  const behind = grow([12_500], 5000);
  expect(wifiBps(behind)).toBeCloseTo(1e6, -5);
  const { state } = behind;
  expect([...state.paths.values()].every(({ rate }) => rate.countedMs > 3000)).toBe(true);
});

test('faster chunks raise a mean', () => {
  const slow = grow([4000], 0);
  expect(wifiBps(slow)).toBeLessThan(1e6);
  const after = grow(CHUNKS, slow.endMs + 20_000, slow.state, slow.endMs);
  expect(wifiBps(after)).toBeGreaterThan(2.5e6);
});
