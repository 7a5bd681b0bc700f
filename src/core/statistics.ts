/** Arithmetic mean; undefined for no values. */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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

/** Two-sided 95 % points of Student's t distribution for 1 to 30 degrees of freedom. */
const studentT95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
];

export interface MeanInterval {
  count: number;
  mean: number;
  /** Half the width of the 95 % confidence interval; undefined for one value. */
  halfWidth95?: number | undefined;
}

/** Mean of independent trials with its 95 % confidence interval (Student's t); undefined for no values. */
export function meanInterval(values: readonly number[]): MeanInterval | undefined {
  const centre = mean(values);
  if (centre === undefined) return undefined;
  const count = values.length;
  if (count < 2) return { count, mean: centre };
  const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (count - 1);
  // Beyond the table: expansion of the t quantile around the normal one, exact to 0.001 from 30 on.
  const freedom = count - 1;
  const critical = studentT95[freedom - 1] ?? 1.96 + 2.372 / freedom + 2.82 / freedom ** 2;
  return { count, mean: centre, halfWidth95: critical * Math.sqrt(variance / count) };
}
