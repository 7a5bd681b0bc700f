import type { Discipline, NetworkSample } from '../../report';
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
  /** The same for both disciplines and all targets of a trial. */
  seed: number;
}

export interface AqmOutcome {
  /** By name, as in the lab's results; null where the session does not tell. */
  metrics: Readonly<Record<string, number | null>>;
  /** Queues of both bottlenecks, second by second. */
  samples: readonly NetworkSample[];
  /** Of the session, on the samples' clock. */
  fromMs: number;
  toMs: number;
}
