/**
 * Linear QoE of Yin et al. (SIGCOMM 2015, section 2.2, start-up term left out because it is reported apart):
 * sum of bit rates minus the rebuffer penalty minus the sum of bit rate steps, all in Mbit/s.
 * One second of rebuffering costs as much as the top rung; a step costs its height.
 */
export function linearQoe(
  bitratesBps: readonly number[],
  stallMs: number,
  topBitrateBps: number,
): { total: number; perSegment: number; segments: number } | null {
  const segments = bitratesBps.length;
  if (segments === 0) return null;
  const quality = bitratesBps.reduce((sum, bps) => sum + bps, 0);
  const steps = bitratesBps
    .slice(1)
    .reduce((sum, bps, i) => sum + Math.abs(bps - (bitratesBps[i] ?? bps)), 0);
  const total = (quality - (topBitrateBps * stallMs) / 1000 - steps) / 1e6;
  return { total, perSegment: total / segments, segments };
}
