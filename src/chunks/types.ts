import type { ChunkOutcome, ChunkPurpose, NetworkHealth } from '../core';
/**
 * Input and output of a chunk scheduler. All of it is plain JSON data.
 * Units: `Ms` milliseconds of one monotonic clock, `Bps` bits per second, `Bytes` bytes.
 * Byte ranges are half open: `start` is the first byte, `end` the first byte after.
 */

/** A network of this machine: an interface with an address and a route. */
export type NetworkId = string;

/** Name of an object while it is fetched; never reused for other content. */
export type ObjectId = string;

export interface ByteRange {
  start: number;
  end: number;
}

export interface ObservedNetwork {
  networkId: NetworkId;
  /** `out`: no carrier, no address, or given up by the driver. A scheduler never assigns such a network. */
  state: 'up' | 'out';
  /** Round trip without a queue of our own: of a handshake at first. Absent before the first connection. */
  rttMs?: number | undefined;
  /** Rate to assume before the first bytes, for example from an earlier session. */
  rateHintBps?: number | undefined;
  /** The user pays by byte. */
  costly: boolean;
  /** Bytes that may still be fetched over it; requests in flight are not subtracted. Absent: no limit. */
  budgetBytes?: number | undefined;
  /** Requests that could be sent at once: idle connections, connections that may be opened, free streams of HTTP/2. */
  freeRequests: number;
  /** The part of `freeRequests` that needs no handshake. */
  warmRequests: number;
  /** Each request has a connection of its own, as over HTTP/1.1. */
  separateConnections?: boolean | undefined;
}

/** A segment, init segment or other resource. Lists are in the order in which objects are needed. */
export interface ObservedObject {
  objectId: ObjectId;
  /** Absent until an answer gave it. */
  totalBytes?: number | undefined;
  /**
   * A guess of `totalBytes`, for example from the manifest's bit rate, so that every network can start at once. A
   * range behind the end costs a round trip and no bytes. Use it only for servers that answer ranges. For an object that
   * one request fetches whole it gives the request's load on its network.
   */
  expectedBytes?: number | undefined;
  /** Time when playback needs its last byte. Absent: as soon as possible. */
  neededAtMs?: number | undefined;
  /** Time when its server has written all of it. Absent: it has, or nobody knows. */
  grownAtMs?: number | undefined;
  /** `false`: the server has no ranges, or its edges differ. One request then fetches the whole object. */
  ranges: boolean;
  /** Bytes that have arrived, those of requests in flight included. Sorted, disjoint. */
  received: readonly ByteRange[];
  /** Networks that cannot fetch it now: captive portal, other validator, `Retry-After`. */
  excluded?: readonly NetworkId[] | undefined;
}

/** A request in flight. */
export interface ObservedFlight {
  /** Id that the `fetch` action gave. */
  chunkId: number;
  objectId: ObjectId;
  networkId: NetworkId;
  start: number;
  /** `null`: to the object's end. */
  end: number | null;
  sentMs: number;
  /** First byte of the body. */
  firstByteMs?: number | undefined;
  /** Latest byte of the body. */
  lastByteMs?: number | undefined;
  receivedBytes: number;
  /** Its answer began without a length: the server is still writing the object, and pauses when it has no more. */
  growing?: boolean | undefined;
}

/**
 * The reason of a failure. `connect`: no connection was established. `reset`: the connection broke. `closed`: the
 * server ended the connection in order, as it may after a number of requests or an idle time. `timeout`: the driver's
 * own limit. `lost`: the network went. `refused`: a status without content, or a host at which nothing listens.
 * `mismatch`: the content differs from earlier answers.
 */
export type FailureKind =
  'connect' | 'reset' | 'closed' | 'timeout' | 'lost' | 'refused' | 'mismatch';

/** Failures that say nothing against the network: it brought an answer, a refusal, or the server's orderly end. */
export const HARMLESS_FAILURES: readonly FailureKind[] = ['closed', 'refused', 'mismatch'];

/** A request that ended since the last observation. `received` contains its usable bytes. */
export interface EndedFlight extends ObservedFlight {
  endMs: number;
  outcome: ChunkOutcome;
  failure?: FailureKind | undefined;
}

/** The complete input of a scheduler at one instant. */
export interface ChunkObservation {
  nowMs: number;
  networks: readonly ObservedNetwork[];
  objects: readonly ObservedObject[];
  flights: readonly ObservedFlight[];
  ended: readonly EndedFlight[];
}

export interface FetchAction {
  kind: 'fetch';
  /** Unique within the scheduler's state. */
  chunkId: number;
  objectId: ObjectId;
  networkId: NetworkId;
  start: number;
  /**
   * `null`: to the object's end, without a range. May lie behind the end of an object of unknown length. Of an object without
   * ranges, all is asked for, and the answer is ended here.
   */
  end: number | null;
  purpose: ChunkPurpose;
  /** The late request that a `duplicate` repeats. */
  duplicateOf?: number | undefined;
  reason: string;
}

/** Cancels a request. Over HTTP/2 this resets the stream and keeps the connection; over HTTP/1.1 it closes the connection. */
export interface CancelAction {
  kind: 'cancel';
  chunkId: number;
  reason: string;
}

export type ChunkAction = FetchAction | CancelAction;

/** The scheduler's belief about a network, for panels and logs. */
export interface NetworkBelief {
  networkId: NetworkId;
  health: NetworkHealth;
  /** Expected goodput; 0 if unknown. */
  rateBps: number;
  rttMs: number;
}

export interface ChunkDecision<State> {
  state: State;
  /** Executed in this order. A cancel frees the place of a fetch that follows it. */
  actions: ChunkAction[];
  /** Time of the next call, if no event occurs earlier. */
  wakeMs: number;
  networks: NetworkBelief[];
  /** One line that a viewer understands. */
  reason: string;
}

/**
 * Decides which byte range of which object is fetched over which network next. Pure: the same state and observation
 * give the same decision, so a log of observations replays. Call it at `wakeMs` and on every event: a request
 * ended, a network came or went, an object was added, a first byte arrived. Execute its actions before the next
 * call. Never observe a paused request: it looks like a silent network. Leave its object out as well.
 */
export interface ChunkScheduler<State = object, Config = object> {
  readonly name: string;
  /** One line for a list to choose from. */
  readonly summary: string;
  /**
   * The state before the first observation, settings included: plain JSON data.
   * @throws ChunkConfigError on an unknown setting or a value out of range
   */
  initial(config?: Partial<Config>): State;
  decide(state: State, observation: ChunkObservation): ChunkDecision<State>;
}

/** An invalid setting. The message names it and the permitted range. */
export class ChunkConfigError extends Error {
  override readonly name = 'ChunkConfigError';
}
