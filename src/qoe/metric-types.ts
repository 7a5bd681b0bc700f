/** The better direction for the viewer. `none` if neither is better. */
export type MetricDirection = 'higher' | 'lower' | 'none';

/** One number of a session or trial. Names carry their unit: `startupDelayMs`. Ratios run from 0 to 1. */
export interface Metric {
  name: string;
  /** Name for people: "Start-up delay". */
  label: string;
  /** `Mbit/s` is for QoE, which is not a rate. `1` is for counts and ratios. */
  unit: 'ms' | 'bit/s' | 'byte' | 'Mbit/s' | '1';
  better: MetricDirection;
  /** A ratio from 0 to 1, shown in per cent. */
  isShare?: true;
  /** Its values may be below 0. The interval of any other metric ends there. */
  isSigned?: true;
  /** Its definition in one line. */
  definition: string;
  /** The file that contains it. */
  source: 'session.jsonl' | 'network.jsonl' | 'trial.json';
  /** One of the few headline metrics of a report. */
  headline: boolean;
}

/** null: the log does not contain it. */
export interface MetricValue {
  metric: Metric;
  value: number | null;
}
