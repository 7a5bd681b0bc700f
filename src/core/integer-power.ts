/**
 * `base` to the power of a whole number, by multiplications only: these give the same bits everywhere, while `**` differs
 * in the last bit between JavaScript engines.
 * @param exponent whole, 0 or more
 */
export function integerPower(base: number, exponent: number): number {
  let result = 1;
  for (let step = 0; step < exponent; step += 1) result *= base;
  return result;
}
