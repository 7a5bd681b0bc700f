import type { Discipline } from './cells';
import type { QueueSeconds } from './delay-series';
import type { Scenario } from '../../scenario';
import type { ExperimentJob } from '../types';

export const DISCIPLINES = ['pie', 'fq-pie'] as const satisfies Discipline[];

/** One trial of one of the six scenarios. */
export interface AqmJob extends ExperimentJob {
  discipline: Discipline;
  targetMs: number;
  scenario: Scenario;
  /** From 1. */
  trial: number;
  /** Equal for both disciplines and all targets of a trial. */
  seed: number;
}

export interface AqmOutcome {
  /** By name, as in the lab's results; null if the session has no value. */
  metrics: Readonly<Record<string, number | null>>;
  /** Queue delay of both bottlenecks in each second of the session. */
  queues: QueueSeconds;
}
