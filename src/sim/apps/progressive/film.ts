import { SplitMix64 } from '../../engine/split-mix';

export interface FilmSpec {
  lengthMs: number;
  /** Mean rate over the whole film. */
  rateBps: number;
  framesPerSecond: number;
  /** Integer from 0 to 2^53; each seed gives another film. */
  seed: number;
}

/** A film as a player loads it: frames in decoding order. */
export interface Film {
  frameNs: number;
  /** End offset of each frame in the file; increasing. */
  endBytes: readonly number[];
}

/** One group of pictures in decoding order: half a second at 24 frames a second. */
const GROUP = 'IBBPBBPBBPBB';
/** Size relative to a B picture: mean of H.264 at a few Mbit/s. */
const MEAN_SIZE: Readonly<Record<string, number>> = { I: 5, P: 2.5, B: 1 };
/** Mean scene length in groups; lengths are geometric. */
const SCENE_GROUPS = 4;
/**
 * Standard deviations of the logarithm, of a scene's level and of a picture within its scene. With these
 * values the size of 3 s varies by 18 to 19 %. Big Buck Bunny at 5 Mbit/s gives 17.8 %, because encoders for
 * the web hold the rate.
 */
const SCENE_SPREAD = 0.22;
const PICTURE_SPREAD = 0.2;
/** Least size of a picture, so that none is empty. Chosen; no measurement. */
const MIN_BYTES = 100;

/**
 * A film whose picture sizes follow measured distributions (shape after Krunz and Tripathi, SIGMETRICS 1997).
 * Scenes of geometric length have a level each; I, P and B pictures are around it, all lognormal. Its size matches its mean rate exactly.
 * @throws RangeError if it would have no frame, or frames of nearly no bytes
 */
export function createFilm({ lengthMs, rateBps, framesPerSecond, seed }: FilmSpec): Film {
  const count = Math.round((lengthMs * framesPerSecond) / 1000);
  const totalBytes = Math.round((rateBps * lengthMs) / 8000);
  if (count < 1 || totalBytes < 2 * MIN_BYTES * count) {
    throw new RangeError(
      `a film of ${lengthMs} ms at ${rateBps} bit/s and ${framesPerSecond} frames a second cannot be made`,
    );
  }
  const weights = pictureWeights(count, SplitMix64.fromText(seed, 'film'));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const spareBytes = totalBytes - MIN_BYTES * count;
  // Rounding offsets instead of sizes keeps the last offset equal to the film's size.
  let before = 0;
  const endBytes = weights.map((weight, index) => {
    before += weight;
    return MIN_BYTES * (index + 1) + Math.round((spareBytes * before) / sum);
  });
  return { frameNs: Math.round(1e9 / framesPerSecond), endBytes };
}

function pictureWeights(count: number, random: SplitMix64): number[] {
  let level = 1;
  const weights: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const place = index % GROUP.length;
    if (place === 0 && (index === 0 || random.uniform() < 1 / SCENE_GROUPS)) {
      level = Math.exp(SCENE_SPREAD * standardNormal(random));
    }
    const mean = MEAN_SIZE[GROUP.charAt(place)] ?? 1;
    weights.push(level * mean * Math.exp(PICTURE_SPREAD * standardNormal(random)));
  }
  return weights;
}

/** A sum of twelve uniform numbers replaces trigonometry, whose last bits may differ between engines. */
function standardNormal(random: SplitMix64): number {
  let sum = -6;
  for (let draw = 0; draw < 12; draw += 1) sum += random.uniform();
  return sum;
}
