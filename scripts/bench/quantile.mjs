/** The nearest value from below, of values in any order. */
export function quantile(values, share) {
  return values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))];
}
