/** The nearest value from below, of values in any order. */
export function quantile(values, share) {
  return values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))];
}

/** The same, rounded to tenths. */
export const quantileTenths = (values, share) => Number(quantile(values, share).toFixed(1));
