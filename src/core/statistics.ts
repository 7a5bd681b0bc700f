/** Arithmetic mean; undefined for no values. */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean in which the i-th of n values has the weight i / (n (n + 1) / 2): later ones count more. */
export function linearlyWeightedMean(values: readonly number[]): number {
  const sum = values.reduce((total, value, index) => total + (index + 1) * value, 0);
  return (2 * sum) / (values.length * (values.length + 1));
}

/** Quantile 0..1 with linear interpolation between order statistics; undefined for no values. */
export function quantile(values: readonly number[], share: number): number | undefined {
  return quantiles(values, [share])[0];
}

/** Several quantiles with one sort; empty for no values. */
export function quantiles(values: readonly number[], shares: readonly number[]): number[] {
  if (values.length === 0) return [];
  const sorted = [...values].sort((a, b) => a - b);
  return shares.map((share) => {
    const position = Math.min(1, Math.max(0, share)) * (sorted.length - 1);
    const low = sorted[Math.floor(position)] ?? 0;
    const high = sorted[Math.ceil(position)] ?? low;
    return low + (high - low) * (position - Math.floor(position));
  });
}

export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5);
}
