/**
 * Input and output of a chunk scheduler. All of it is plain JSON data.
 * Units: `Ms` milliseconds of one monotonic clock, `Bps` bits per second, `Bytes` bytes.
 * Byte ranges are half open: `start` is the first byte, `end` the first byte after.
 */

/** One network of this machine: an interface with an address and a route. */
export type NetworkId = string;

/** Names one object for as long as it is fetched: never reused for other content. */
export type ObjectId = string;

export interface ByteRange {
  start: number;
  end: number;
}

export interface ObservedNetwork {
  networkId: NetworkId;
  /** `out`: no carrier, no address, or given up by the driver. A scheduler never names such a network. */
  state: 'up' | 'out';
  /** Smallest round trip known: of a handshake, or `tcpi_min_rtt`. Absent before the first connection. */
  rttMs?: number | undefined;
  /** Rate to assume before the first bytes, for example remembered from an earlier session. */
  rateHintBps?: number | undefined;
  /** The user pays by byte. */
  costly: boolean;
  /** Bytes that may still be fetched over it, requests in flight not subtracted. Absent: no limit. */
  budgetBytes?: number | undefined;
  /** Requests that could be sent at once: idle connections, connections that may be opened, free streams of HTTP/2. */
  freeRequests: number;
  /** Those of `freeRequests` that need no handshake. */
  warmRequests: number;
}

/** A segment, init segment or other resource. A list of them is in the order in which they are needed. */
export interface ObservedObject {
  objectId: ObjectId;
  /** Absent until a response gave it. */
  totalBytes?: number | undefined;
  /**
   * A guess of `totalBytes`, for example from the manifest's bit rate: every network begins at once. A range behind the
   * end costs a round trip and no bytes. Only for servers that are known to answer ranges.
   */
  expectedBytes?: number | undefined;
  /** When playback needs its last byte. Absent: as soon as possible. */
  neededAtMs?: number | undefined;
  /** `false`: the server has no ranges or its edges differ, so that one request fetches all of it. */
  ranges: boolean;
  /** Bytes that are here, those of requests in flight included. Sorted, disjoint. */
  held: readonly ByteRange[];
  /** Networks that cannot fetch it now: captive portal, other validator, `Retry-After`. */
  barred?: readonly NetworkId[] | undefined;
}

/** A request in flight. */
export interface ObservedFlight {
  /** As the `fetch` action gave it. */
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
 * Why a request failed. `connect`: no connection came about. `reset`: it broke. `timeout`: the driver's own limit.
 * `lost`: its network went. `refused`: a status that is no content. `mismatch`: other content than was agreed on.
 */
export type FailureKind = 'connect' | 'reset' | 'timeout' | 'lost' | 'refused' | 'mismatch';

/** A request that ended since the observation before. Its bytes that can be used are in `held`. */
export interface EndedFlight extends ObservedFlight {
  endMs: number;
  outcome: 'done' | 'failed' | 'cancelled';
  failure?: FailureKind | undefined;
}

/** Everything a scheduler may know at one instant. */
export interface ChunkObservation {
  nowMs: number;
  networks: readonly ObservedNetwork[];
  objects: readonly ObservedObject[];
  flights: readonly ObservedFlight[];
  ended: readonly EndedFlight[];
}

/**
 * Why a range is asked for. `media`: it is missing. `duplicate`: another request for it is late.
 * `probe`: to learn what a network that failed or faded carries; its bytes count like all others.
 */
export type ChunkPurpose = 'media' | 'duplicate' | 'probe';

export interface FetchAction {
  kind: 'fetch';
  /** Unique within the scheduler's state. */
  chunkId: number;
  objectId: ObjectId;
  networkId: NetworkId;
  start: number;
  /** `null`: to the object's end, without a range. May lie behind the end of an object of unknown length. */
  end: number | null;
  purpose: ChunkPurpose;
  /** For `duplicate`: the late request. */
  duplicateOf?: number | undefined;
  reason: string;
}

/** Over HTTP/2 a reset of the stream, which keeps the connection; over HTTP/1.1 the connection closes. */
export interface CancelAction {
  kind: 'cancel';
  chunkId: number;
  reason: string;
}

export type ChunkAction = FetchAction | CancelAction;

/**
 * How the scheduler holds a network. `untried`: no byte yet. `healthy`: delivers as forecast.
 * `faded`: silent or far below its forecast, so that only probes go over it. `out`: as observed.
 */
export type NetworkHealth = 'untried' | 'healthy' | 'faded' | 'out';

/** The scheduler's belief about a network, for panels and logs. */
export interface NetworkBelief {
  networkId: NetworkId;
  health: NetworkHealth;
  /** Goodput it expects; 0 where it has no idea. */
  rateBps: number;
  rttMs: number;
}

export interface ChunkDecision<State> {
  state: State;
  /** In this order. A cancel frees the place of a fetch that follows it. */
  actions: ChunkAction[];
  /** Call again at this time, if nothing happens before. */
  wakeMs: number;
  networks: NetworkBelief[];
  /** A network that is free of charge has room and nothing to fetch: another object may be announced. */
  wantsMore: boolean;
  /** One line a viewer understands. */
  reason: string;
}

/**
 * Decides which byte range of which object is fetched over which network next. Pure: the same state and observation
 * give the same decision, so a log of observations replays.
 *
 * Call it at `wakeMs` and on every event: a request ended, a network came or went, an object was added, a first
 * byte arrived. Execute its actions before the next call. Never pause a request: it would look like a network
 * that is silent.
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

/** A setting no scheduler can work with; the message names it and the range that is allowed. */
export class ChunkConfigError extends Error {
  override readonly name = 'ChunkConfigError';
}
