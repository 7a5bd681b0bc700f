import type { SchedulerName } from '../../sim';
import type { ExperimentJob } from '../types';
import type { Approach, GeneticAblation } from './approaches';
import type { ClientCount } from './link-values';
import type { TopologyName } from './switch-graph';

/** Clients that stream over one network. */
export interface StreamJob extends ExperimentJob {
  kind: 'stream';
  topology: TopologyName;
  clients: ClientCount;
  approach: Approach;
  scheduler: SchedulerName;
  /** Shared by the subflows of a connection. */
  receiveBufferBytes: number;
  /** Seed of the network and of the genetic search: equal for all approaches of a trial. */
  seed: number;
  filmMs: number;
  /** Time between the arrivals of two clients. */
  joinMs: number;
  /** The property of the controller that is changed; absent in the set-up. */
  ablation?: GeneticAblation;
}

/** One run of the genetic search in a network without traffic. */
export interface SearchJob extends ExperimentJob {
  kind: 'search';
  topology: TopologyName;
  population: number;
  seed: number;
}

export type GeneticJob = StreamJob | SearchJob;

/** The outcome of one viewer. */
export interface ClientOutcome {
  /** Mean over the fetched segments. */
  bitrateBps: number;
  /** Sum of rung changes between consecutive requests. */
  switches: number;
  /** Stall time after the first frame. */
  outageMs: number;
  subflows: number;
}

export interface StreamOutcome {
  kind: 'stream';
  clients: ClientOutcome[];
}

export interface SearchOutcome {
  kind: 'search';
  /** Number of candidate paths. */
  paths: number;
  /** Distinct combinations rated. */
  evaluations: number;
  /** Random numbers drawn: the steps of the search, independent of the machine. */
  draws: number;
  fitness: number;
}

export type GeneticOutcome = StreamOutcome | SearchOutcome;
