import type { PathTrack } from '../../estimate';
import { unknownRate } from '../../estimate/path-rate';

/** A path in use whose rate was measured for ten seconds, until `measuredAtMs`. */
export function measuredTrack(
  bps: number,
  measuredAtMs: number,
  more: Partial<PathTrack> = {},
): PathTrack {
  const mean = { sum: bps, weight: 1 };
  return {
    ...({} as PathTrack),
    state: 'active',
    liveState: 'active',
    rcvRttMs: 40,
    unusedMs: 0,
    silentMs: 0,
    addresses: [],
    rate: { ...unknownRate, fast: mean, slow: mean, countedMs: 10_000, measuredAtMs },
    ...more,
  };
}
