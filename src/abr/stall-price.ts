import { clamp } from '../core';

const stallConfig = {
  /** Cost of a second of stall, in top bit rates (Yin et al., section 4.2). */
  weight: 1,
  /**
   * Segments for which that weight holds. The QoE counts quality by segment, so with shorter segments a second of stall
   * would cost less. Simulated on 64 pairs with segments of 1 s: a third of the stalls, at 0.04 less QoE a segment.
   */
  segmentMs: 2000,
  /** The weight grows at most by this much: shorter segments than 1 s were not simulated. */
  maxFactor: 2,
} as const;

/** Cost of a second of stall in top bit rates, for a film cut into such segments. */
export function stallWeightOf(segmentMs: number): number {
  return stallConfig.weight * clamp(stallConfig.segmentMs / segmentMs, 1, stallConfig.maxFactor);
}
