import type { TrafficResult, TrafficSpec } from '../../scenario';
import type { Program } from './program';
import type { TrafficNetwork } from './running-traffic';

/** Where one kind of traffic starts. */
export interface TrafficSite {
  spec: TrafficSpec;
  network: TrafficNetwork;
  /** Namespace and first address of the node that sends. */
  fromNetns: string | undefined;
  fromAddress: string;
  toNetns: string | undefined;
  toAddress: string;
  /** Existing folder for output. */
  dir: string;
  /** Start of the names of all files in it. */
  prefix: string;
  onEarlyEnd: () => void;
}

/** What a kind of traffic consists of once it runs. */
export interface TrafficPieces {
  program: string;
  /** In the order in which they are to be ended. */
  programs: Program[];
  /** Called while everything still runs. */
  beforeStop?: () => Promise<void>;
  /** Called after the programs have ended, for what is not a program. */
  afterStop?: () => Promise<void>;
  /** Reads the output. @throws Error where it is not readable */
  read: () => Promise<Partial<TrafficResult>>;
}
