import {
  emptyEwma,
  emptyLedger,
  type ByteLedger,
  type Ewma,
  type PathId,
  type Span,
} from '../core';
import { defaultPathEstimatorConfig, type PathEstimatorConfig } from './config';
import type { PathRate } from './path-rate';

/** `lost`: interface, address or last subflow gone. */
export type PathState = 'active' | 'backup' | 'connecting' | 'lost';

export interface PathTrack {
  state: PathState;
  /** State before it was lost. */
  liveState: Exclude<PathState, 'lost'>;
  lostAtMs: number | undefined;
  /** Link or address went: what samples still say of it is history until bytes arrive or it is told to be up. */
  blocked: boolean;
  /** Time without bytes while the other paths delivered and nothing waited. */
  unusedMs: number;
  /** Time with a request outstanding since its last byte, whatever the others did. */
  quietMs: number;
  seenMs: number;
  subflows: number;
  interfaceName: string | undefined;
  addresses: readonly string[];
  rcvRttMs: number | undefined;
  /** Its newest bytes are held for an earlier byte: another path owes, and the window it fills may stop this one. */
  stuck: boolean;
  /** Brought since a connection last advanced in order: beyond the byte that is missing, which another path owes. */
  beyondBytes: number;
  /** Since the session began. */
  totalBytes: number;
  /** What arrived in the newest interval; undefined where that measures nothing (no request outstanding, or not in use). */
  throughputBps: number | undefined;
  rate: PathRate;
}

export interface OpenRequest {
  requestId: number;
  startMs: number;
}

export interface FinishedSpan extends Span {
  bytes: number;
}

/** What the set of usable paths delivers in order, against the sum of their rates. */
export interface SetWindow {
  key: string;
  startMs: number;
  inOrderBytes: number;
  busyMs: number;
  moved: readonly PathId[];
}

/** What a path set was seen to deliver in order, as share of the sum of its paths' rates. */
export interface LearnedShare {
  share: Ewma;
  /** How far the share was below what had been learned before, relative. */
  shortfall: Ewma;
  /** Newest lesson. */
  atMs: number;
  /** Rate of the slower paths over that of all, at that time: under another mix the lesson says less. */
  mix: number;
}

export interface RequestRate {
  fast: Ewma;
  slow: Ewma;
  overEstimate: Ewma;
  /** Download time measured so far. */
  measuredMs: number;
  lastMs: number | undefined;
}

/** A network as an earlier session found it. */
export interface RememberedPath {
  /** As in the samples. */
  pathId: PathId;
  /** Local address at that time: in another Wi-Fi the same interface is another network. */
  address: string;
  /** What it was expected to carry, bit/s. */
  rateBps: number;
}

/** Everything the estimator knows. Plain data (maps, no functions); never changed in place. */
export interface PathEstimatorState {
  config: PathEstimatorConfig;
  /** What earlier sessions knew of the networks. */
  remembered: readonly RememberedPath[];
  ledger: ByteLedger;
  paths: ReadonlyMap<PathId, PathTrack>;
  openRequests: readonly OpenRequest[];
  finished: readonly FinishedSpan[];
  /** By path set (key: sorted ids). */
  efficiency: ReadonlyMap<string, LearnedShare>;
  setWindow: SetWindow | undefined;
  requestRate: RequestRate;
  heldBytes: number;
  /** In order, in the newest interval; undefined where no request was outstanding all the time. */
  goodputBps: number | undefined;
}

/** The state before anything was seen. */
export function createPathEstimator(
  config: Partial<PathEstimatorConfig> = {},
  remembered: readonly RememberedPath[] = [],
): PathEstimatorState {
  return {
    config: { ...defaultPathEstimatorConfig, ...config },
    remembered,
    ledger: emptyLedger,
    paths: new Map(),
    openRequests: [],
    finished: [],
    efficiency: new Map(),
    setWindow: undefined,
    requestRate: {
      fast: emptyEwma,
      slow: emptyEwma,
      overEstimate: emptyEwma,
      measuredMs: 0,
      lastMs: undefined,
    },
    heldBytes: 0,
    goodputBps: undefined,
  };
}
