import type { Ewma } from '../core';
import { estimatorConfig } from './config';
import { unknownRate, type PathRate } from './path-rate';

/** Weight of a returned path's old means beside new measurements. Chosen; no measurement. */
const REMEMBERED_SHARE = 0.1;

/**
 * The rate of a path that returns. One that was missing for less than `lostGraceMs` did not leave.
 * @param withdrawn its interface or its address went
 */
export function returnedRate(
  {
    rate,
    withdrawn,
    lostAtMs,
  }: { rate: PathRate; withdrawn: boolean; lostAtMs?: number | undefined },
  nowMs: number,
): PathRate {
  const awayMs = nowMs - (lostAtMs ?? nowMs);
  return withdrawn || awayMs > estimatorConfig.lostGraceMs ? rememberRate(rate) : rate;
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
    check: unknownRate.check,
    run: undefined,
  };
}
