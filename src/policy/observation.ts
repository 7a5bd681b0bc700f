import type { PathId, PathState } from '../core';

/**
 * One path in the view of a policy. A path is a local and a remote address: with several server addresses,
 * every pair is a path.
 */
export interface ObservedPath {
  /** Unique in one observation. Used as the path's name in reasons. */
  pathId: PathId;
  interfaceName?: string | undefined;
  localAddress?: string | undefined;
  remoteAddress?: string | undefined;
  /** `closed`: known and could be opened, no subflow now. The estimator sets the other states. */
  state: PathState | 'closed';
  /** Expected rate from the estimator. 0 if unknown. */
  rateBps: number;
  /** Safe rate: a lower value for decisions, never above `rateBps`. */
  safeRateBps: number;
  /** 0 (never measured) to 1. */
  confidence: number;
  /**
   * Rate over this path in the interval that ends now. Undefined if the interval measures nothing (no request
   * outstanding, or the path was not in use).
   */
  throughputBps?: number | undefined;
  /** Receiver-side round trip. */
  rcvRttMs?: number | undefined;
  /** The shortest round trip of its own requests. A handshake gives it before the first byte of an answer. */
  minRttMs?: number | undefined;
  /** Bytes cost money or count against a data allowance. */
  metered: boolean;
  /** Price of 1e9 bytes in any one currency. It orders the metered paths. */
  costPerGb?: number | undefined;
  /** Bytes that this path may carry in the session. Undefined: no limit. */
  budgetBytes?: number | undefined;
  /** Bytes carried since the session began. */
  totalBytes: number;
  /** It carried much, has a request outstanding, and delivers nothing while others do. */
  silent?: boolean | undefined;
  /** The viewer prefers this path. */
  preferred: boolean;
}

/** A request in flight. */
export interface OutstandingRequest {
  /** Undefined if the size is not known. */
  bytesLeft?: number | undefined;
  /**
   * On the clock of `monotonicMs`: time at which the player needs the last byte. Undefined: when the buffer
   * runs dry.
   */
  deadlineMs?: number | undefined;
}

/** All inputs of a path policy. Plain data: an observation in a log can be replayed. */
export interface PathObservation {
  /** CLOCK_MONOTONIC. */
  monotonicMs: number;
  paths: readonly ObservedPath[];
  requests: readonly OutstandingRequest[];
  /** Media ahead of the playhead. Undefined before playback. */
  bufferMs?: number | undefined;
  /** In-order rate of the interval that ends now, whole connection. */
  goodputBps?: number | undefined;
  /** Out-of-order bytes that wait for an earlier byte. */
  outOfOrderBytes: number;
  /** Size of a present segment. Heads and tails of small ones cost more. */
  segmentBytes?: number | undefined;
  /** Byte ranges: no path waits for another one. */
  independent?: boolean | undefined;
  /** Rate that the present rungs need. */
  needBps?: number | undefined;
  /** Rate above which nothing can be gained: the need of the highest rungs. */
  topNeedBps?: number | undefined;
  /** Buffer at which the player stops fetching. */
  bufferTargetMs?: number | undefined;
}
