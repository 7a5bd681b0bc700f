import { LN2 } from './natural-log';

/** Terms of the series; the last is below 1e-19 of the result. */
const TERMS = 18;

/**
 * 0.5 to the power of `halfLives`, by additions, multiplications and divisions only: these give the same bits
 * everywhere, while `**` and `Math.exp` differ in the last bit between JavaScript engines. A decision made in
 * a browser must be reproduced exactly by a replay elsewhere.
 */
export function halving(halfLives: number): number {
  if (Number.isNaN(halfLives)) return NaN;
  if (halfLives < 0) return 1 / halving(-halfLives);
  if (halfLives > 1074) return 0;
  const whole = Math.floor(halfLives);
  const exponent = -(halfLives - whole) * LN2;
  let result = 1;
  for (let term = TERMS; term > 0; term -= 1) result = 1 + (exponent * result) / term;
  for (let halves = 0; halves < whole; halves += 1) result *= 0.5;
  return result;
}
