import type { BrainConfig, BrainInput } from '../../brain';
import type { MediaSizes, Scenario } from '../../scenario';
import type { Controller } from '../controllers/controller';
import type { CreateCongestion } from '../congestion/controls';
import type { Simulation } from '../engine/simulation';
import type { MptcpOptions } from '../mptcp/connection';
import type { SessionNetwork } from './path-manager';

/** Replaces an input of the brain: by the same one, another one, or none. */
export type InputFilter = (input: BrainInput) => readonly BrainInput[];

/** Decider of bitrates and paths. */
export type SimPlayer =
  | { kind: 'brain'; config: BrainConfig }
  /** A reference rule over unmodified MPTCP; with `policy`, over the paths that a policy chooses. */
  | { kind: 'controller'; create: () => Controller; policy?: BrainConfig };

/** The carriage of the media: MPTCP, or byte ranges over plain TCP on each network. */
export type SessionCarriageSpec =
  | { kind: 'mptcp' }
  | {
      kind: 'ranges';
      /** Chunk scheduler of `src/chunks`; default ours. */
      scheduler?: string;
      config?: object;
      /** Costly networks, and the bytes that each may carry. */
      metered?: readonly { path: string; budgetBytes?: number }[];
    };

export interface SimSessionOptions {
  scenario: Pick<Scenario, 'name' | 'topology' | 'traffic' | 'events' | 'durationMs'>;
  media: MediaSizes;
  player: SimPlayer;
  /** Default MPTCP. */
  carriage?: SessionCarriageSpec;
  seed: number;
  /** Time until the page asks for the manifest, from the start of traces, events and traffic. Default 0. */
  pageLoadMs?: number | undefined;
  /** The client's paths. Default: all paths of the scenario. */
  paths?: readonly string[];
  bufferTargetMs?: number;
  createScheduler: MptcpOptions['createScheduler'];
  createCongestion: CreateCongestion;
  receiveBufferBytes?: number;
  /** Logs all data for a replay of the decisions (`brain` events). Default false: it is most of a log. */
  journal?: boolean;
  /**
   * Replaces the brain's inputs, to record or to falsify them. With false inputs the log cannot be replayed.
   */
  filterInput?: InputFilter;
  /**
   * Omits path samples and player states from the log. Requests, stalls and decisions remain. Default false.
   */
  lean?: boolean;
}

/** Options of a session in an existing network. */
export type SessionSettings = Omit<SimSessionOptions, 'scenario'> & {
  scenario: Pick<Scenario, 'name' | 'durationMs'>;
};

/** The session's simulator and network. Several sessions may share both. */
export interface SessionPlace {
  simulation: Simulation;
  network: SessionNetwork;
  /** Sessions in one network number their flows from different starts, 100 000 apart. Default 0. */
  flow?: number;
  /** Called when the film has been played to its end. */
  onEnd?: () => void;
}
