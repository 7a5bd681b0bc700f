import type { Discipline } from './cells';
import type { NetworkSample } from '../../report';
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
  /** Queues of both bottlenecks, per second. */
  samples: readonly NetworkSample[];
  /** Of the session, on the samples' clock. */
  fromMs: number;
  toMs: number;
}
