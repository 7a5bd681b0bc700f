import type { RungTotals } from './rung-sequence';

/**
 * Linear QoE of Yin et al. (SIGCOMM 2015, section 2.2): sum of bit rates minus the rebuffer penalty minus the
 * sum of bit rate steps, all in Mbit/s. The start-up term is left out because it is reported separately. One
 * second of rebuffering costs as much as the top rung; a step costs its height.
 */
export function linearQoe(
  { segments, sumBps, stepsBps }: RungTotals,
  stallMs: number,
  topBitrateBps: number,
): { total: number; perSegment: number; segments: number } | null {
  if (segments === 0) return null;
  const total = (sumBps - (topBitrateBps * stallMs) / 1000 - stepsBps) / 1e6;
  return { total, perSegment: total / segments, segments };
}
