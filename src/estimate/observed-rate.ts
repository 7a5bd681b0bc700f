import { expectedBps, rateConfidence, safeBps } from './path-rate';
import type { PathEstimatorState, PathTrack } from './state';

/** One path's rate estimate, for policies. */
export function observedRate(
  { rate }: PathTrack,
  { config }: PathEstimatorState,
  nowMs: number,
): { rateBps: number; safeRateBps: number; confidence: number } {
  return {
    rateBps: expectedBps(rate),
    safeRateBps: safeBps(rate, config),
    confidence: rateConfidence(rate, nowMs, config),
  };
}
