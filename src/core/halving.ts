const ln2 = 0.6931471805599453;
/** Terms of the series; the last is below 1e-19 of the result. */
const terms = 18;

/**
 * 0.5 to the power of `halfLives`, with additions, multiplications and divisions only: those give the same bits
 * everywhere, while `**` and `Math.exp` differ in the last one between JavaScript engines. A decision made in a
 * browser has to be the same one when it is replayed elsewhere.
 */
export function halving(halfLives: number): number {
  if (Number.isNaN(halfLives)) return NaN;
  if (halfLives < 0) return 1 / halving(-halfLives);
  if (halfLives > 1074) return 0;
  const whole = Math.floor(halfLives);
  const exponent = -(halfLives - whole) * ln2;
  let result = 1;
  for (let term = terms; term > 0; term -= 1) result = 1 + (exponent * result) / term;
  for (let halves = 0; halves < whole; halves += 1) result *= 0.5;
  return result;
}
