import { expect, test } from 'vitest';
import type { PathHealth } from './path-health';
import { handOverRest } from './slow-rest';
import { estimator } from './testing/health-facts';
import type { BrainObservation } from './types';

const NOW_MS = 60_000;

interface Case {
  /** Time since Wi-Fi came back; undefined: it was there from the start. */
  backForMs?: number | undefined;
  /** Without a byte. */
  unusedMs?: number;
  bufferMs?: number;
  restBytes?: number;
  lteBps?: number;
}

/** Wi-Fi has come back; LTE holds the rest of a segment. */
function states(one: Case): Record<string, string> {
  const { unusedMs = 600, bufferMs = 0, restBytes = 200_000, lteBps = 2e5 } = one;
  const { backForMs } = { backForMs: 700, ...one };
  const backMs = backForMs === undefined ? -1e9 : NOW_MS - backForMs;
  const path = { bytes: 0, seenMs: NOW_MS, behindMs: 0, alone: false, expectedBps: 0, failures: 0 };
  const health: PathHealth[] = [
    { ...path, pathId: 'lte', state: 'healthy', sinceMs: 0, recentBps: lteBps, backMs: -1e9 },
    { ...path, pathId: 'wifi', state: 'healthy', sinceMs: 0, recentBps: 0, backMs },
  ];
  const active = { state: 'active' as const, blockedBytes: 0, totalBytes: 1e6 };
  const paths = estimator({ wifi: { ...active, unusedMs }, lte: { ...active, unusedMs: 0 } });
  const observation = {
    monotonicMs: NOW_MS,
    bufferMs: { video: bufferMs },
    ladders: [],
    segmentDurationMs: {},
    requests: [
      {
        mediaType: 'video',
        durationMs: 2000,
        bytesLoaded: 100_000,
        bytesTotal: 100_000 + restBytes,
      },
    ],
  } as unknown as BrainObservation;
  const after = handOverRest(health, paths, observation);
  return Object.fromEntries(after.map(({ pathId, state }) => [pathId, state]));
}

test('the slow path is closed while playback waits and the path that came back is idle', () => {
  expect(states({})).toEqual({ lte: 'stale', wifi: 'healthy' });
});

test.each<[string, Case]>([
  ['there is a buffer', { bufferMs: 2000 }],
  ['the rest comes soon', { restBytes: 40_000 }],
  ['the other path is fast', { lteBps: 5e6 }],
  ['the path that came back has had no time', { unusedMs: 200 }],
  ['nothing shows that the idle path is still alive', { backForMs: 20_000 }],
  ['the idle path has been there from the start', { backForMs: undefined }],
])('it stays where %s', (_, one) => {
  expect(states(one)).toEqual({ lte: 'healthy', wifi: 'healthy' });
});
