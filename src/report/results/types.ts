/**
 * The results of one or several run folders: `results.json` (this, as JSON), `results.csv` (a row per trial),
 * `comparison.csv` (a row per pair of players and metric). docs/results.md defines every name.
 */
import type { SharedOptimum } from '../../optimum';
import type { Metric } from '../../qoe';

export type { Metric };

/**
 * `ok`: valid. `failed`: the trial reports it. `cut`: the log has no end or another schema version. `missing`: planned,
 * but not in the folder. All but `ok` are listed and left out of every statistic.
 */
export type TrialStatus = 'ok' | 'failed' | 'cut' | 'missing';

export interface TrialResult {
  /** Folder of the run, as given. */
  run: string;
  /** Below the run's folder. */
  folder: string;
  number: number;
  player: string;
  trial: number;
  seed: number;
  status: TrialStatus;
  /** The reason if it is not `ok`, or the unreadable part. */
  problems: string[];
  /** Metrics by name; null if the log has no value. A missing trial has none. */
  metrics: Record<string, number | null>;
  /** A clairvoyant player's result; null if the links are unknown. */
  optimum: SharedOptimum | null;
}

/** One metric of one player in one scenario. Null with too few values. */
export interface MetricStatistics {
  player: string;
  metric: string;
  /** Trials with a value. */
  count: number;
  mean: number | null;
  /** 95 % confidence interval of the mean (Student's t). */
  meanLow: number | null;
  meanHigh: number | null;
  standardDeviation: number | null;
  median: number | null;
  /** Confidence interval of the median between order statistics, at least `medianConfidence`; from 6 values on. */
  medianLow: number | null;
  medianHigh: number | null;
  /** The interval's real coverage, above 0.95; null without one. */
  medianConfidence: number | null;
  min: number | null;
  max: number | null;
}

/** Two players over the trials that both played with the same number and seed: `player` minus `reference`. */
export interface Comparison {
  metric: string;
  player: string;
  reference: string;
  pairs: number;
  meanDifference: number | null;
  /** 95 % confidence interval of the mean difference (Student's t). */
  low: number | null;
  high: number | null;
  /** Relative to the reference's mean, if that is above 0. */
  relativeDifference: number | null;
  /** Mean difference over the standard deviation of the differences (Cohen's d_z). */
  effectSize: number | null;
  /** Matched-pairs rank-biserial correlation, -1 to 1. */
  rankBiserial: number | null;
  /** Paired t test, two-sided. */
  pT: number | null;
  /** Wilcoxon's signed-rank test, two-sided, exact. */
  pWilcoxon: number | null;
  /** The t test's after Holm, over the other players of this scenario and metric. */
  pTHolm: number | null;
  pWilcoxonHolm: number | null;
  /** `better`, `worse`: Holm-adjusted p of the t test below 0.05; `few`: too few pairs for any test. */
  verdict: 'better' | 'worse' | 'different' | 'no difference shown' | 'few';
}

/** Precision of a mean after this number of trials: half width of the 95 % interval, as a share of the mean. */
export interface NoisePoint {
  player: string;
  metric: string;
  trials: number;
  /** Half width from this run's spread; the average for `trials` trials. */
  halfWidth: number;
  relative: number | null;
}

export interface RunInfo {
  folder: string;
  startedAt: string;
  machine: Readonly<Record<string, string | number>>;
}

export interface ScenarioResults {
  /** Name of the scenario; with the run's folder if runs of one name differ. */
  scenario: string;
  title: string;
  source: string;
  description: string;
  /** Ids in the scenario's order. */
  players: string[];
  /** The player the others are compared with. */
  reference: string | null;
  runs: RunInfo[];
  counts: Record<TrialStatus | 'planned', number>;
  /** Sentences computed from the figures, the most important first. */
  findings: string[];
  trials: TrialResult[];
  statistics: MetricStatistics[];
  comparisons: Comparison[];
  noise: NoisePoint[];
}

export interface Results {
  schemaVersion: 1;
  /** Version of the program that made it. */
  generator: string;
  /** Unreadable or ignored parts. */
  warnings: string[];
  metrics: Metric[];
  scenarios: ScenarioResults[];
}
