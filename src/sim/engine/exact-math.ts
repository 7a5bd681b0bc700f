/*
 * Functions with the same bits on every engine. They use additions, multiplications, divisions and square
 * roots only, which IEEE 754 defines exactly. `**`, `Math.cbrt` and others may differ in the last bit between
 * releases.
 */

/** Terms of the cosine's series: at a quarter turn the next one is below 1e-19, less than the last bit. */
const COS_TERMS = 11;
/** Steps of Newton's method: the start is wrong by 11 % at most, and each step squares that error. */
const ROOT_STEPS = 6;

export function square(x: number): number {
  return x * x;
}

export function cube(x: number): number {
  return x * x * x;
}

/**
 * x to the power of 3/4.
 * @param x 0 or more
 */
export function threeQuarterPower(x: number): number {
  const root = Math.sqrt(x);
  return root * Math.sqrt(root);
}

/** Cube root, to the last bit or two. */
export function cubeRoot(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  if (x < 0) return -cubeRoot(-x);
  let scale = 1;
  let rest = x;
  for (; rest >= 8; rest /= 8) scale *= 2;
  for (; rest < 1; rest *= 8) scale /= 2;
  // Newton's method, started from a line through the ends of [1, 8).
  let root = 1 + (rest - 1) / 7;
  for (let step = 0; step < ROOT_STEPS; step += 1) root -= (root - rest / (root * root)) / 3;
  return root * scale;
}

/**
 * Cosine of a fraction of a turn.
 * @param turns 0 to 1
 */
export function cosineOfTurns(turns: number): number {
  const fromHalf = Math.abs(turns - 0.5);
  return fromHalf > 0.25 ? quarterCosine(0.5 - fromHalf) : -quarterCosine(fromHalf);
}

/** @param turns 0 to 1/4 */
function quarterCosine(turns: number): number {
  const angle = 2 * Math.PI * turns;
  let sum = 1;
  for (let term = COS_TERMS; term > 0; term -= 1) {
    sum = 1 - (sum * angle * angle) / ((2 * term - 1) * (2 * term));
  }
  return sum;
}
