import type { PathId } from './path';

/**
 * The carriage of media to the player. `mptcp`: one connection of the kernel's over several networks. `ranges`: byte
 * ranges over a TCP connection pool a network. `single`: one network, because there is no other or because the user
 * wants it.
 */
export type CarriageKind = 'mptcp' | 'ranges' | 'single';

/**
 * State of a network for the scheduler. `untried`: no byte yet. `healthy`: delivers as forecast. `faded`: silent or
 * far below its forecast; only probes use it. `out`: unusable, and the reason is known.
 */
export type NetworkHealth = 'untried' | 'healthy' | 'faded' | 'out';

/**
 * The reason for a request. `media`: its bytes are missing. `duplicate`: another request for them is late. `probe`:
 * measures a network that failed or faded; its bytes count like all others.
 */
export type ChunkPurpose = 'media' | 'duplicate' | 'probe';

export type ChunkOutcome = 'done' | 'failed' | 'cancelled';

/** One network under `ranges`. Counters run from the fetcher's start. */
export interface CarriedNetwork {
  /** The interface's name. */
  networkId: PathId;
  health: NetworkHealth;
  /** Goodput the scheduler expects. */
  rateBps: number;
  rttMs: number;
  receivedBytes: number;
  /** Bytes that another request had brought already. */
  duplicateBytes: number;
  /** Bytes that arrived before an earlier byte and had to wait for it: head-of-line blocking. */
  blockedBytes: number;
  /** Bytes fetched ahead of a request that was never sent. */
  unreadBytes: number;
  requests: number;
  failed: number;
  cancelled: number;
  /** The reason why nothing is fetched over it, if that is so. */
  outReason?: string | undefined;
}

export interface CarriageReport {
  carriage: CarriageKind;
  /** One line for the viewer. */
  reason: string;
  /** Each object comes over one network. `reason` has the cause. */
  isWhole?: boolean | undefined;
  networks: CarriedNetwork[];
  /** Bytes that readers were given, each counted once. */
  inOrderBytes: number;
}

/** One request for a byte range of an object, after its end. */
export interface CarriedChunk {
  chunkId: number;
  objectId: string;
  url: string;
  networkId: PathId;
  /** Bytes of the object; `end` is not part of it, null: to its end. */
  start: number;
  end: number | null;
  sentMs: number;
  firstByteMs?: number | undefined;
  endMs: number;
  receivedBytes: number;
  /** Bytes of it that another request had brought already. */
  duplicateBytes: number;
  purpose: ChunkPurpose;
  outcome: ChunkOutcome;
  /** Why it was sent. */
  reason: string;
  /** Why it failed or was cancelled. */
  failureReason?: string | undefined;
}
