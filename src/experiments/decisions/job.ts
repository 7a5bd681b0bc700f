import type { Scenario } from '../../scenario';
import type { SessionMetrics } from '../sweep/session-row';
import type { ExperimentJob } from '../types';

/** One session of one player over one scenario. */
export interface DecisionsJob extends ExperimentJob {
  /** `kernel`: real player, server and kernel, in the lab. */
  backend: 'kernel' | 'simulated';
  /** The scenario with all players of the experiment. */
  scenario: Scenario;
  /** One of the scenario's players. */
  player: string;
  /** Number of the trial, from 1. */
  trial: number;
  seed: number;
  /** Simulated: time until the page asks for the manifest, as in `SimSessionOptions`. */
  pageLoadMs?: number;
}

/** Metrics by their names in docs/results.md. */
export type DecisionsOutcome = SessionMetrics;
