/*
 * Functions that give the same bits on every engine: additions, multiplications, divisions and square roots only, which
 * IEEE 754 leaves no choice about. `**`, `Math.cbrt` and the like may differ in the last bit between releases.
 */

const LN2 = 0.693_147_180_559_945_3;
/** Terms of the series; what is left out is below the last bit. */
const LOG_TERMS = 20;
const COS_TERMS = 11;
const ROOT_STEPS = 6;

export function square(x: number): number {
  return x * x;
}

export function cube(x: number): number {
  return x * x * x;
}

/** To the power of 3/4. @param x 0 or more */
export function threeQuarterPower(x: number): number {
  const root = Math.sqrt(x);
  return root * Math.sqrt(root);
}

/** Third root, to the last bit or two. */
export function cubeRoot(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  if (x < 0) return -cubeRoot(-x);
  let scale = 1;
  let rest = x;
  for (; rest >= 8; rest /= 8) scale *= 2;
  for (; rest < 1; rest *= 8) scale /= 2;
  // Newton's from a line through the ends of [1, 8).
  let root = 1 + (rest - 1) / 7;
  for (let step = 0; step < ROOT_STEPS; step += 1) root -= (root - rest / (root * root)) / 3;
  return root * scale;
}

/** Natural logarithm. @param x above 0 */
export function naturalLog(x: number): number {
  let exponent = 0;
  let rest = x;
  for (; rest >= Math.SQRT2; rest /= 2) exponent += 1;
  for (; rest < Math.SQRT1_2; rest *= 2) exponent -= 1;
  const t = (rest - 1) / (rest + 1);
  let sum = 0;
  for (let term = LOG_TERMS; term >= 0; term -= 1) sum = sum * t * t + 1 / (2 * term + 1);
  return 2 * t * sum + exponent * LN2;
}

/** Cosine of a whole turn's part. @param turns 0 to 1 */
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
