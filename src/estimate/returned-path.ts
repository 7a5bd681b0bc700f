import type { Ewma, PathState } from '../core';
import { estimatorConfig } from './config';
import type { PathRate } from './path-rate';
import type { PathTrack } from './state';

/** Weight of a returned path's old means beside new measurements. Chosen; no measurement. */
const REMEMBERED_SHARE = 0.1;

/** A lost path that carries again. One that was missing for less than `lostGraceMs` did not leave. */
export function returnedPath(
  track: PathTrack,
  state: Exclude<PathState, 'lost'>,
  nowMs: number,
): PathTrack {
  const { rate, withdrawn, lostAtMs = nowMs } = track;
  const hasLeft = withdrawn || nowMs - lostAtMs > estimatorConfig.lostGraceMs;
  return {
    ...track,
    state,
    liveState: state,
    withdrawn: false,
    lostAtMs: undefined,
    unusedMs: 0,
    rate: hasLeft ? rememberRate(rate) : rate,
  };
}

/** A returned path: the old means stay, but the first new measurements outweigh them. */
export function rememberRate(rate: PathRate): PathRate {
  const fade = ({ sum, weight }: Ewma): Ewma => ({
    sum: sum * REMEMBERED_SHARE,
    weight: weight * REMEMBERED_SHARE,
  });
  return {
    ...rate,
    fast: fade(rate.fast),
    slow: fade(rate.slow),
    countedMs: Math.min(rate.countedMs, estimatorConfig.returnCreditMs),
    measuredBytes: 0,
    run: undefined,
  };
}
