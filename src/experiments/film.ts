import { createRandom, mean } from '../core';
import type { MediaSizes } from '../scenario';

/** Smallest and largest size of a segment, relative to the mean. Chosen; no measurement. */
const MIN_FACTOR = 0.6;
const MAX_FACTOR = 1.4;
/** The film is always the same; any number would do. */
const SEED = 20_260_102;

/**
 * A film without audio whose segment sizes vary like those of real films: 60 to 140 % of the rung's rate, which
 * is their mean. All rungs have the same busy scenes. The film is always the same; a longer one has
 * other sizes.
 * @param from first segment; the segments before it come at the end
 */
export function makeFilm(
  ratesBps: readonly number[],
  segmentMs: number,
  count: number,
  from = 0,
): MediaSizes {
  const random = createRandom(SEED);
  const drawn = Array.from(
    { length: count },
    () => MIN_FACTOR + (MAX_FACTOR - MIN_FACTOR) * random(),
  );
  const centre = mean(drawn) ?? 1;
  const shares = drawn.map((_, index) => (drawn[(index + from) % count] ?? centre) / centre);
  return {
    segmentMs,
    video: ratesBps.map((bitrateBps) => ({
      bitrateBps,
      bytes: shares.map((share) => Math.round((share * bitrateBps * segmentMs) / 8000)),
    })),
    audio: [],
  };
}
