import { createRandom, mean } from '../core';
import type { MediaSizes } from '../scenario';

const LEAST = 0.6;
const MOST = 1.4;
const SEED = 20_260_102;

/**
 * A film without sound whose segments differ in size as those of films do: 60 to 140 % of the rung's rate, larger in all
 * rungs where the film is busy, just the rate in the mean. Always the same film; a longer one has other sizes.
 * @param from segment it begins with; the ones before come at the end
 */
export function makeFilm(
  ratesBps: readonly number[],
  segmentMs: number,
  count: number,
  from = 0,
): MediaSizes {
  const random = createRandom(SEED);
  const drawn = Array.from({ length: count }, () => LEAST + (MOST - LEAST) * random());
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
