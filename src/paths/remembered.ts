/** What networks carried in an earlier session: enough for a first rung, outweighed by the first half second. */
import { emptyEwma, updateEwma, type Ewma, type PathId } from '../core';
import type { PathEstimatorConfig } from './config';
import { expectedBps, rateConfidence, unknownRate, type PathRate } from './path-rate';
import type { PathEstimatorState, RememberedPath } from './state';

/** What is remembered weighs as much as so much measured time. Example: 150 ms. */
const rememberedMs = 150;
/** From this confidence on a rate is worth remembering. Example: 0.5, a second of measured time. */
const memorableConfidence = 0.5;

/** The rate a path begins with. */
export function recallRate(
  remembered: readonly RememberedPath[],
  pathId: PathId,
  addresses: readonly string[],
  nowMs: number,
  config: PathEstimatorConfig,
): PathRate {
  const known = remembered.find(
    (one) => one.pathId === pathId && addresses.includes(one.address) && one.rateBps > 0,
  );
  if (!known || !Number.isFinite(known.rateBps)) return unknownRate;
  const mean = (halfLifeMs: number): Ewma =>
    updateEwma(emptyEwma, known.rateBps, rememberedMs, halfLifeMs);
  return {
    ...unknownRate,
    fast: mean(config.fastHalfLifeMs),
    slow: mean(config.slowHalfLifeMs),
    countedMs: config.returnCreditMs,
    measuredAtMs: nowMs,
  };
}

/** What is known well enough to be told to the next session. */
export function memorablePaths(state: PathEstimatorState): RememberedPath[] {
  return [...state.paths].flatMap(([pathId, { rate, addresses, state: now }]) => {
    const [address] = addresses;
    const sure = rateConfidence(rate, rate.measuredAtMs ?? 0, state.config);
    if (address === undefined || now === 'lost' || sure < memorableConfidence) return [];
    return [{ pathId, address, rateBps: Math.round(expectedBps(rate)) }];
  });
}
