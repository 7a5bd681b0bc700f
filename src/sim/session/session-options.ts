import type { BrainConfig } from '../../brain';
import type { MediaSizes, Scenario } from '../../scenario';
import type { Controller } from '../controllers/controller';
import type { CreateCongestion } from '../congestion/controls';
import type { Simulation } from '../engine/simulation';
import type { Scheduler } from '../schedulers/scheduler';
import type { SessionNetwork } from './path-manager';
import type { Teller } from './session-brain';

/** Who chooses bitrates and paths. */
export type SimPlayer =
  | { kind: 'brain'; config: BrainConfig }
  /** A reference rule, over MPTCP as it is; with `policy`, over the paths that a policy chooses. */
  | { kind: 'controller'; create: () => Controller; policy?: BrainConfig };

export interface SessionOptions {
  scenario: Pick<Scenario, 'name' | 'topology' | 'traffic' | 'events' | 'durationMs'>;
  media: MediaSizes;
  player: SimPlayer;
  seed: number;
  /** Paths the client has; default all of the scenario. */
  paths?: readonly string[];
  bufferTargetMs?: number;
  createScheduler: () => Scheduler;
  createCongestion: CreateCongestion;
  receiveBufferBytes?: number;
  /** Log all that a replay of the decisions needs (`brain` events). Default false: it is most of a log. */
  journal?: boolean;
  /** What the brain is told in place of what happens: to record it, or to lie to it. With lies the log cannot be replayed. */
  tell?: Teller;
  /** Leave path samples and player states out of the log: requests, stalls and decisions remain. Default false. */
  lean?: boolean;
}

/** What a session needs to know in a network that somebody else made. */
export type SessionSettings = Omit<SessionOptions, 'scenario'> & {
  scenario: Pick<Scenario, 'name' | 'durationMs'>;
};

/** Where a session takes place. Several may share both. */
export interface SessionPlace {
  simulation: Simulation;
  network: SessionNetwork;
  /** Sessions that share a network number their flows from different ones, 100 000 apart. Default 0. */
  flow?: number;
  /** The film has been played to its end. */
  onEnd?: () => void;
}
