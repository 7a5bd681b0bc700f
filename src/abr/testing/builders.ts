import type { Ladder, Forecast } from '../../core';
import type { Uncertainty } from '../abr-rule';

/** Nearly certain of its rate. */
export const sure: Uncertainty = {
  ...{ spread: 0.1, rise: 0.1, step: 0.1, sizeSpread: 0 },
  ...{ failureNow: 0.01, failureLater: 0.01, othersShare: 0.7, failureMs: 3000 },
  ...{ outage: 0, outageMs: 6000 },
};

export function ladderOf(...bitratesMbps: number[]): Ladder {
  return {
    mediaType: 'video',
    rungs: bitratesMbps.map((mbps, index) => ({
      index,
      representationId: String(index),
      bitrateBps: mbps * 1e6,
    })),
  };
}
export const six = ladderOf(0.3, 0.6, 1.2, 2.4, 4, 6);

/** Safe is 0.9 of the expected rate by default. */
export function expecting(paths: Record<string, number>, more: Partial<Forecast> = {}): Forecast {
  const list = Object.entries(paths).map(([pathId, mbps]) => ({
    pathId,
    rateBps: mbps * 1e6,
    safeRateBps: mbps * 0.9e6,
    usable: mbps > 0,
  }));
  const rateBps = list.reduce((sum, path) => sum + path.rateBps, 0);
  return {
    rateBps,
    safeRateBps: rateBps * 0.9,
    confidence: 0.9,
    basis: 'paths',
    paths: list,
    ...more,
  };
}
