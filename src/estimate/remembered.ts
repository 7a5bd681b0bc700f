/**
 * Rates of networks in an earlier session, for the choice of the first rung. Half a second of measurements
 * outweighs them.
 */
import { emptyEwma, updateEwma, type Ewma, type PathId } from '../core';
import { estimatorConfig } from './config';
import { rateConfidence } from './measured-rate';
import { expectedBps, unknownRate, type PathRate } from './path-rate';
import type { PathEstimatorState, RememberedPath } from './state';

/** Weight of a stored rate, as measured time. Example: 150 ms. */
const REMEMBERED_MS = 150;
/** Minimum confidence of a rate to store. Example: 0.5, a second of measured time. */
const MEMORABLE_CONFIDENCE = 0.5;

/** A path's initial rate. */
export function recallRate(
  remembered: readonly RememberedPath[],
  pathId: PathId,
  addresses: readonly string[],
  nowMs: number,
): PathRate {
  const known = remembered.find(
    (one) => one.pathId === pathId && addresses.includes(one.address) && one.rateBps > 0,
  );
  if (!known || !Number.isFinite(known.rateBps)) return unknownRate;
  const mean = (halfLifeMs: number): Ewma =>
    updateEwma(emptyEwma, known.rateBps, REMEMBERED_MS, halfLifeMs);
  return {
    ...unknownRate,
    fast: mean(estimatorConfig.fastHalfLifeMs),
    slow: mean(estimatorConfig.slowHalfLifeMs),
    countedMs: estimatorConfig.returnCreditMs,
    measuredAtMs: nowMs,
  };
}

/** Rates known well enough for the next session. */
export function memorablePaths(state: PathEstimatorState): RememberedPath[] {
  return [...state.paths].flatMap(([pathId, { rate, addresses, state: now }]) => {
    const [address] = addresses;
    const sure = rateConfidence(rate, rate.measuredAtMs ?? 0);
    if (address === undefined || now === 'lost' || sure < MEMORABLE_CONFIDENCE) return [];
    return [{ pathId, address, rateBps: Math.round(expectedBps(rate)) }];
  });
}
