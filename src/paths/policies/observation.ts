import type { PathId } from '../../core';
import type { LearnedSet } from '../goodput';
import type { PathState } from '../state';

/**
 * One path as a policy sees it. A path is a local and a remote address: with several server addresses,
 * every pair is a path of its own.
 */
export interface ObservedPath {
  /** Unique in one observation. Used as the path's name in reasons. */
  pathId: PathId;
  interfaceName?: string | undefined;
  localAddress?: string | undefined;
  remoteAddress?: string | undefined;
  /** `closed`: known and could be opened, no subflow now. The rest as the estimator tells them. */
  state: PathState | 'closed';
  /** Expected rate from the estimator; 0 when unknown. */
  rateBps: number;
  /** Conservative rate; never above `rateBps`. */
  safeRateBps: number;
  /** 0 (never measured) to 1. */
  confidence: number;
  /** What arrived over this path in the interval that ends now; absent when the interval measures nothing (no request outstanding, or the path was not in use). */
  throughputBps?: number | undefined;
  /** Receiver-side round trip. */
  rcvRttMs?: number | undefined;
  /** Round-trip samples since the last observation, oldest first. */
  delaysMs?: readonly number[] | undefined;
  /** Bytes cost money or count against a contingent. */
  metered: boolean;
  /** Price of 1e9 bytes in any one currency; orders the metered paths. */
  costPerGb?: number | undefined;
  /** Bytes this path may carry in the session; absent: no limit. */
  budgetBytes?: number | undefined;
  /** Bytes it carried since the session began. */
  totalBytes: number;
  /** It carried much, was asked for more, and brings nothing while others do. */
  silent?: boolean | undefined;
  /** The viewer wants this path used first. */
  preferred: boolean;
}

/** A request on its way. */
export interface OutstandingRequest {
  /** Absent when the size is not known. */
  bytesLeft?: number | undefined;
  /** On the clock of `monotonicMs`: when the player needs the last byte. Absent: when the buffer runs dry. */
  deadlineMs?: number | undefined;
}

/** Everything a path policy may decide from. Plain data: an observation in a log can be replayed. */
export interface PathObservation {
  /** CLOCK_MONOTONIC. */
  monotonicMs: number;
  paths: readonly ObservedPath[];
  requests: readonly OutstandingRequest[];
  /** Media ahead of the playhead; absent before playback. */
  bufferMs?: number | undefined;
  /** In-order bytes per time of the interval that ends now, whole connection. */
  goodputBps?: number | undefined;
  /** Bytes that wait for an earlier one. */
  heldBytes: number;
  /** What sets of paths were seen to deliver together. */
  learned?: readonly LearnedSet[] | undefined;
  /** Size of a segment as it is fetched now; heads and tails of small ones cost more. */
  segmentBytes?: number | undefined;
  /** Rate that the rungs fetched now need. */
  needBps?: number | undefined;
  /** Rate beyond which nothing is to be won: the highest rungs' need. */
  topNeedBps?: number | undefined;
  /** The player stops fetching when it has this much. */
  bufferTargetMs?: number | undefined;
}
