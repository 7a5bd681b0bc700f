import type { OptimumProblem } from '../best-qoe';

/** Chooses a rung from a player's view. */
export type RungChooser = (seen: { segment: number; bufferMs: number; rateBps: number }) => number;

/**
 * Plays a problem like a real player: without knowledge of the future, with stalls only when the buffer is
 * empty.
 */
export function play(problem: OptimumProblem, policy: RungChooser): number {
  const { bitratesBps, segmentBits, segmentMs, volume, startMs, playMs, bufferCapMs } = problem;
  const segments = segmentBits[0]?.length ?? 0;
  let atMs = startMs;
  let stallMs = 0;
  let last: number | undefined;
  let qoe = 0;
  let rateBps = bitratesBps[0] ?? 0;
  for (let segment = 0; segment < segments; segment += 1) {
    // The playhead's position without a stall since the last segment.
    const dueMs = playMs + stallMs + segment * segmentMs;
    const bufferAt = (ms: number): number =>
      segment * segmentMs - Math.max(0, ms - playMs - stallMs);
    // It waits until the segment fits into the buffer, which does not drain before the first frame.
    const roomMs = (segment + 1) * segmentMs - bufferCapMs;
    if (roomMs > 0) atMs = Math.max(atMs, Math.min(playMs + stallMs + roomMs, dueMs));
    const rung = policy({ segment, bufferMs: bufferAt(atMs), rateBps });
    const size = segmentBits[rung]?.[segment] ?? Infinity;
    const endMs = volume.timeOf(volume.bitsAt(atMs) + size);
    if (!Number.isFinite(endMs)) return -Infinity;
    rateBps = (size * 1000) / Math.max(1e-3, endMs - atMs);
    atMs = endMs;
    stallMs += Math.max(0, endMs - dueMs);
    const bitrate = bitratesBps[rung] ?? 0;
    qoe += bitrate - Math.abs(bitrate - (last ?? bitrate));
    last = bitrate;
  }
  return (qoe - (problem.topBitrateBps * stallMs) / 1000) / 1e6;
}

/**
 * The best sequence of rungs by exhaustive search; the stall is that of the latest segment. Behind the counted segments
 * it takes the least sizes, and the session's end bounds a stall.
 */
export function bruteForce(problem: OptimumProblem): number {
  const { bitratesBps, segmentBits, segmentMs, volume, startMs, playMs, bufferCapMs } = problem;
  const segments = segmentBits[0]?.length ?? 0;
  const { counted = segments, untilMs = -Infinity } = problem;
  let best = -Infinity;
  const visit = (i: number, bits: number, stallMs: number, quality: number, last: number): void => {
    const isCounted = i < counted;
    if (i === segments || (!isCounted && playMs + stallMs + i * segmentMs >= untilMs)) {
      best = Math.max(best, (quality - (problem.topBitrateBps * stallMs) / 1000) / 1e6);
      return;
    }
    const room = (i + 1) * segmentMs - bufferCapMs;
    const open = volume.bitsAt(room > 0 ? Math.max(startMs, playMs + room) : startMs);
    if (!isCounted) {
      const sent =
        Math.max(bits, open) + Math.min(...segmentBits.map((rung) => rung[i] ?? Infinity));
      const lateMs = Math.min(volume.timeOf(sent), untilMs) - (playMs + i * segmentMs);
      visit(i + 1, sent, Math.max(stallMs, lateMs), quality, last);
      return;
    }
    for (const [rung, rate] of bitratesBps.entries()) {
      const sent = Math.max(bits, open) + (segmentBits[rung]?.[i] ?? Infinity);
      const lateMs = volume.timeOf(sent) - (playMs + i * segmentMs);
      const step = i === 0 ? 0 : Math.abs(rate - last);
      visit(i + 1, sent, Math.max(stallMs, lateMs), quality + rate - step, rate);
    }
  };
  visit(0, 0, 0, 0, 0);
  return best;
}
