import { type PathState, emptyLedger, type ByteLedger, type PathId, type Span } from '../core';
import { unmeasured, type MeasuredRate } from './measured-rate';
import type { PathRate } from './path-rate';

export interface PathTrack {
  state: PathState;
  /** State before it was lost. */
  liveState: Exclude<PathState, 'lost'>;
  lostAtMs: number | undefined;
  /** Link or address was removed: samples of it are outdated until bytes arrive or an event reports it up. */
  withdrawn: boolean;
  /** Time without bytes while the other paths delivered and nothing was out of order. */
  unusedMs: number;
  /** Time with a request outstanding since its last byte, whatever the state of the others; with one of its own, if that is known. */
  silentMs: number;
  /** An answer was awaited on it through the whole last interval, as the feed reports it. */
  awaited: boolean;
  seenMs: number;
  subflows: number;
  interfaceName: string | undefined;
  addresses: readonly string[];
  rcvRttMs: number | undefined;
  /** The shortest round trip of its own requests, handshakes included. */
  minRttMs: number | undefined;
  /** The shortest receiver-side round trip since its subflow opened: a queue on the path lengthens `rcvRttMs`. */
  minRcvRttMs: number | undefined;
  /** Its out-of-order bytes. They wait for an earlier byte on another path. */
  blockedBytes: number;
  /** The others' out-of-order bytes that may wait for it (`PathInterval`). */
  waitingBytes: number;
  /** Since the session began. */
  totalBytes: number;
  /**
   * Rate in the newest interval. Undefined if that measures nothing (no request outstanding, or not in use).
   */
  throughputBps: number | undefined;
  rate: PathRate;
}

/** A sent request. */
export interface RequestStart {
  requestId: number;
  /** CLOCK_MONOTONIC, as in the samples. */
  startMs: number;
  /**
   * Of a segment that its server sends while it is encoded: time of the second missing chunk. Before that time the
   * server may have nothing to send, so the time measures no path.
   */
  pacedUntilMs?: number | undefined;
}

/** The server of one of these requests may have nothing to send after this time. */
export const isPaced = (
  requests: readonly Pick<RequestStart, 'pacedUntilMs'>[],
  atMs: number,
): boolean => requests.some(({ pacedUntilMs = 0 }) => pacedUntilMs > atMs);

export interface FinishedSpan extends Span {
  requestId: number;
  bytes: number;
  pacedUntilMs?: number | undefined;
}

/** A network in the measurements of an earlier session. */
export interface RememberedPath {
  /** As in the samples. */
  pathId: PathId;
  /** Local address at that time: in another Wi-Fi the same interface is another network. */
  address: string;
  /** Its expected rate, bit/s. */
  rateBps: number;
}

/** The estimator's complete state. Plain data (maps, no functions); never changed in place. */
export interface PathEstimatorState {
  /**
   * The paths have requests of their own (byte ranges) and deliver the sum of their rates. Over MPTCP they share one stream,
   * and a set delivers less.
   */
  independent: boolean;
  /** Stored rates of the networks from earlier sessions. */
  remembered: readonly RememberedPath[];
  ledger: ByteLedger;
  paths: ReadonlyMap<PathId, PathTrack>;
  openRequests: readonly RequestStart[];
  finished: readonly FinishedSpan[];
  /** Throughput of the finished requests. */
  requestRate: MeasuredRate;
  outOfOrderBytes: number;
  /** In-order rate in the newest interval. Undefined if a request was not outstanding all the time. */
  goodputBps: number | undefined;
}

/** The state before any input. */
export function createPathEstimator(
  remembered: readonly RememberedPath[] = [],
): PathEstimatorState {
  return {
    remembered,
    ledger: emptyLedger,
    paths: new Map(),
    openRequests: [],
    finished: [],
    requestRate: unmeasured,
    outOfOrderBytes: 0,
    independent: false,
    goodputBps: undefined,
  };
}
