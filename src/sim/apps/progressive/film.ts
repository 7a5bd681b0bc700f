import { SplitMix64 } from '../../engine/split-mix';

export interface FilmSpec {
  lengthMs: number;
  /** Mean, over the whole film. */
  rateBps: number;
  framesPerSecond: number;
  /** Whole number from 0 to 2^53: another one is another film. */
  seed: number;
}

/** A film as a player loads it: its frames one after the other, in the order in which they are decoded. */
export interface Film {
  frameNs: number;
  /** Where each frame ends in the file; increasing. */
  endBytes: readonly number[];
}

/** A group of pictures in the order of decoding, half a second at 24 a second. */
const GROUP = 'IBBPBBPBBPBB';
/** How much larger than a B picture, in the mean of H.264 at a few Mbit/s. */
const MEAN_SIZE: Readonly<Record<string, number>> = { I: 5, P: 2.5, B: 1 };
/** Mean length of a scene in groups; lengths are geometric. */
const SCENE_GROUPS = 4;
/**
 * Standard deviation of the logarithm: of a scene's level, and of one picture within its scene. With these, what 3 s
 * take varies by 18 to 19 %, as in Big Buck Bunny encoded at 5 Mbit/s (17.8 %): encoders for the web hold the rate.
 */
const SCENE_SPREAD = 0.22;
const PICTURE_SPREAD = 0.2;
const MIN_BYTES = 100;

/**
 * A film with picture sizes as measured ones are distributed: scenes of geometric length, each with a level of its
 * own, and I, P and B pictures around it, all lognormal (shape after Krunz and Tripathi, SIGMETRICS 1997). Its
 * size is exactly that of its mean rate.
 * @throws RangeError where it would have no frame, or frames of next to nothing
 */
export function createFilm({ lengthMs, rateBps, framesPerSecond, seed }: FilmSpec): Film {
  const count = Math.round((lengthMs / 1000) * framesPerSecond);
  const totalBytes = Math.round((rateBps * lengthMs) / 8000);
  if (count < 1 || totalBytes < 2 * MIN_BYTES * count) {
    throw new RangeError(
      `a film of ${lengthMs} ms at ${rateBps} bit/s and ${framesPerSecond} frames a second cannot be made`,
    );
  }
  const weights = pictureWeights(count, SplitMix64.fromText(seed, 'film'));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const spareBytes = totalBytes - MIN_BYTES * count;
  // The places are rounded, not the sizes: so the last one is the size of the film.
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

/** The sum of twelve uniform numbers: no trigonometry, whose last bits differ between engines. */
function standardNormal(random: SplitMix64): number {
  let sum = -6;
  for (let draw = 0; draw < 12; draw += 1) sum += random.uniform();
  return sum;
}
