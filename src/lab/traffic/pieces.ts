import type { TrafficResult, TrafficSpec } from '../../scenario';
import type { Program } from './program';
import type { TrafficNetwork } from './running-traffic';

/** The context of one kind of traffic. */
export interface TrafficSite {
  spec: TrafficSpec;
  network: TrafficNetwork;
  /** Namespace and first address of the sending node. */
  fromNetns: string | undefined;
  fromAddress: string;
  toNetns: string | undefined;
  toAddress: string;
  /** Existing folder for output. */
  dir: string;
  /** Prefix of all file names in it. */
  prefix: string;
  onEarlyEnd: () => void;
}

/** The parts of running traffic. */
export interface TrafficPieces {
  program: string;
  /** Programs in the order in which they must end. */
  programs: Program[];
  /** Called while all programs still run. */
  beforeStop?: () => Promise<void>;
  /** Called after the programs have ended, for other resources. */
  afterStop?: () => Promise<void>;
  /**
   * Reads the output.
   * @throws Error if it is not readable
   */
  read: () => Promise<Partial<TrafficResult>>;
}
