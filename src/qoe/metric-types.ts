/** Which way is better for the viewer; `none` where neither is. */
export type MetricDirection = 'higher' | 'lower' | 'none';

/** One number that a session or trial has. Names carry their unit: `startupDelayMs`; ratios run from 0 to 1. */
export interface Metric {
  name: string;
  /** For people: "Start-up delay". */
  label: string;
  /** `Mbit/s` is for QoE, which is no rate; `1` for counts and ratios. */
  unit: 'ms' | 'bit/s' | 'byte' | 'Mbit/s' | '1';
  better: MetricDirection;
  /** One line: how it is defined. */
  definition: string;
  /** The file it is read from. */
  source: 'session.jsonl' | 'network.jsonl' | 'trial.json';
  /** Belongs to the few that a reader is shown first. */
  headline: boolean;
}

/** null: the log does not tell. */
export interface MetricValue {
  metric: Metric;
  value: number | null;
}
