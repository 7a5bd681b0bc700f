import type { SchedulerName } from '../../sim';
import type { ExperimentJob } from '../types';
import type { Approach } from './approaches';
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
  /** Of the network and of the genetic search: the same for all approaches of a trial. */
  seed: number;
  filmMs: number;
  /** From one client to the next. */
  joinMs: number;
}

/** One run of the genetic search in a network without traffic. */
export interface SearchJob extends ExperimentJob {
  kind: 'search';
  topology: TopologyName;
  population: number;
  seed: number;
}

export type GeneticJob = StreamJob | SearchJob;

/** What one viewer had. */
export interface ClientOutcome {
  /** Mean over the segments fetched. */
  bitrateBps: number;
  /** Rungs between one request and the next, added up. */
  switches: number;
  /** Standing still after the first frame. */
  outageMs: number;
  subflows: number;
}

export interface StreamOutcome {
  kind: 'stream';
  clients: ClientOutcome[];
}

export interface SearchOutcome {
  kind: 'search';
  /** Paths there were to choose from. */
  paths: number;
  /** Different combinations that were rated. */
  evaluations: number;
  /** Random numbers drawn: the steps of the search, whatever the machine. */
  draws: number;
  fitness: number;
}

export type GeneticOutcome = StreamOutcome | SearchOutcome;
