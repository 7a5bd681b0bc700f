import { expectedBps, rateConfidence, safeBps } from './path-rate';
import type { PathTrack } from './state';

/** One path's rate estimate, for policies. */
export function observedRate(
  { rate }: PathTrack,
  nowMs: number,
): { rateBps: number; safeRateBps: number; confidence: number } {
  return {
    rateBps: expectedBps(rate),
    safeRateBps: safeBps(rate),
    confidence: rateConfidence(rate, nowMs),
  };
}
