import type { Discipline } from './cells';
import type { QueueSeconds, TrialDelays } from './delay-series';
import type { Scenario } from '../../scenario';
import type { ExperimentJob } from '../types';

export const DISCIPLINES = ['pie', 'fq-pie'] as const satisfies Discipline[];

/** Properties of the load that the paper leaves open, each changed alone; the last one is all of them. */
export const AQM_ABLATIONS = ['call-flows', 'long-calls', 'fast-links', 'earlier-load'] as const;
export type AqmAblation = (typeof AQM_ABLATIONS)[number];

/** One trial of one of the six scenarios. */
export interface AqmJob extends ExperimentJob {
  discipline: Discipline;
  targetMs: number;
  scenario: Scenario;
  /** Number of the trial, from 1. */
  trial: number;
  /** Equal for both disciplines and all targets of a trial. */
  seed: number;
  /** What is changed in the load; absent in the paper's. */
  ablation?: AqmAblation;
}

export interface AqmOutcome {
  /** Metrics by name, as in the lab's results; null if the session has no value. */
  metrics: Readonly<Record<string, number | null>>;
  /** Queue delay of both bottlenecks in each second of the session. */
  queues: QueueSeconds;
  /** Delay as the paper defines it for FQ-PIE, by bottleneck with flow queues. */
  active: TrialDelays;
}
