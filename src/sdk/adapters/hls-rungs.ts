import type { Level } from 'hls.js';

type RungLevel = Pick<Level, 'bitrate' | 'codecSet' | 'videoRange'> & {
  supportedResult?: Level['supportedResult'];
};

/**
 * Indices of the levels that a stream may change between, lowest bit rate first. hls.js orders its levels by height,
 * frame rate and codec before the bit rate. Its own rule keeps to the codecs and the dynamic range in use, and leaves out
 * what the machine does not decode smoothly.
 * @param reference index of a level with the codecs and the dynamic range in use
 */
export function rungLevels(levels: readonly RungLevel[], reference: number): number[] {
  const used = levels[reference] ?? levels[0];
  return levels
    .flatMap((level, index) => {
      const { codecSet, videoRange, supportedResult } = level;
      const isSmooth = !supportedResult?.decodingInfoResults.some(({ smooth }) => !smooth);
      const isLike = codecSet === used?.codecSet && videoRange === used.videoRange;
      return level === used || (isLike && isSmooth) ? { index, bitrate: level.bitrate } : [];
    })
    .sort((a, b) => a.bitrate - b.bitrate)
    .map(({ index }) => index);
}

/**
 * Level of the rung, or of the next lower one, else of the next higher one, inside hls.js's limits.
 * @param order index of each rung's level
 */
export function levelWithin(
  { minAutoLevel, maxAutoLevel }: { minAutoLevel: number; maxAutoLevel: number },
  order: readonly number[],
  rung: number,
): number | undefined {
  if (order[rung] === undefined) return undefined;
  const fromRung = [...order.slice(0, rung + 1).reverse(), ...order.slice(rung + 1)];
  return fromRung.find((level) => level >= minAutoLevel && level <= maxAutoLevel);
}
