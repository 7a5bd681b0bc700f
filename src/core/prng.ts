/** A seeded source of uniform numbers in [0, 1). */
export type Random = () => number;

/**
 * Small seeded generator (xoshiro128**, Blackman and Vigna 2018, seeded through splitmix32).
 * The same seed gives the same sequence on every engine.
 */
export function createRandom(seed: number): Random {
  let mix = seed >>> 0;
  const next32 = (): number => {
    mix = (mix + 0x9e3779b9) >>> 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let a = next32();
  let b = next32();
  let c = next32();
  let d = next32();
  const rotateLeft = (x: number, k: number): number => (x << k) | (x >>> (32 - k));
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotateLeft(d, 11);
    return result / 2 ** 32;
  };
}

/** A draw between two positive numbers, evenly in the logarithm. */
export const drawLogUniform = (random: Random, [low, high]: readonly [number, number]): number =>
  low * (high / low) ** random();

/** A draw from the standard normal distribution (Box and Muller, 1958). Its last bits may differ between engines. */
export function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}
