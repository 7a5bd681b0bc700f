/** Natural logarithm of 2. */
export const LN2 = 0.693_147_180_559_945_3;
/** Terms of the series; the remainder is below the last bit. */
const LOG_TERMS = 20;

/**
 * Natural logarithm by operations that IEEE 754 defines exactly: `Math.log` may differ in the last bit between
 * engines, and a replay must give the same decisions.
 * @param x above 0 and finite
 */
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
