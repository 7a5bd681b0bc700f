import { expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { createBrain, stepBrain, type BrainConfig } from '.';

const rungs = [300_000, 1_000_000, 3_000_000].map((bitrateBps, index) => ({
  index,
  representationId: String(index),
  bitrateBps,
}));

/** The first rung that a large request is given up for; by default over MPTCP, with an empty buffer. */
function givenUpFor(
  wifiBps: number,
  lteBps: number,
  bytesTotal: number,
  { bufferMs = 0, ...config }: Partial<BrainConfig> & { bufferMs?: number } = {},
): number | undefined {
  let state = createBrain({ policy: 'model', abr: 'multipath', carriage: 'mptcp', ...config });
  for (let nowMs = 100; nowMs <= 6000; nowMs += 100) {
    const [wifiBytes, lteBytes] = [wifiBps, lteBps].map((bps) => Math.round((bps * nowMs) / 8000));
    const samples = batch(nowMs, [
      connection([subflow('wifi', wifiBytes ?? 0), subflow('lte', lteBytes ?? 0)]),
    ]);
    ({ state } = stepBrain(state, { type: 'samples', batch: samples }));
    if (nowMs === 100) {
      const sent = { requestId: 1, mediaType: 'video' as const, startMs: nowMs };
      ({ state } = stepBrain(state, { type: 'request-start', request: sent }));
    }
    const bytesLoaded = (wifiBytes ?? 0) + (lteBytes ?? 0);
    const step = stepBrain(state, {
      type: 'decide',
      observation: {
        monotonicMs: nowMs,
        trigger: 'tick',
        ladders: [{ mediaType: 'video', rungs }],
        currentRung: { video: 2 },
        bufferMs: { video: bufferMs },
        bufferTargetMs: 30_000,
        playing: true,
        requests: [
          {
            requestId: 1,
            mediaType: 'video',
            rung: 2,
            startMs: 100,
            bytesLoaded,
            bytesTotal,
            durationMs: 2000,
          },
        ],
        segmentDurationMs: { video: 2000 },
        control: 'all',
      },
    });
    ({ state } = step);
    if (step.decision?.abandon) return step.decision.abandon.toRung;
  }
  return undefined;
}

test('over MPTCP a request that takes long over two slow networks is given up', () => {
  expect(givenUpFor(250e3, 200e3, 750_000)).toBe(0);
});

test.each([
  ['the rest comes within some seconds', 900e3, 800e3, 1_000_000],
  ['a new connection could begin on a network that carries next to nothing', 400e3, 40e3, 750_000],
])('it is not where %s', (_, wifiBps, lteBps, bytesTotal) => {
  expect(givenUpFor(wifiBps, lteBps, bytesTotal)).toBeUndefined();
});

test('a request waits for the free network to come back, and less where a costly one would bring its rest', () => {
  const rest = (policy: string, bufferMs: number): number | undefined =>
    givenUpFor(400e3, 0, 1_500_000, {
      ...{ policy, carriage: 'ranges', bufferMs },
      networks: [{ network: 'lte', metered: policy === 'metered' }],
    });
  expect(rest('all', 5500)).toBeUndefined();
  expect(rest('metered', 5500)).toBe(0);
  expect(rest('all', 2000)).toBe(0);
  expect(rest('metered', 9000)).toBeUndefined();
});
