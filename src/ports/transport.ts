import type { PathEvent, PathId, SampleBatch, TransportStatus } from '../core';
import type { PathControlReport, WantedPathState } from '../qoe';

/** What a transport tells its listener. */
export type TransportMessage =
  | { type: 'status'; status: TransportStatus }
  | { type: 'samples'; batch: SampleBatch }
  | { type: 'path'; event: PathEvent }
  /** Whether the paths can be controlled, and how they stand: first, after every change, as every answer. */
  | { type: 'path-control'; report: PathControlReport }
  /** The feed is gone for good (agent killed, channel closed); nothing follows. */
  | { type: 'closed'; reason: string };

/** Asks for states of paths; a path that is not named stays as it is. */
export interface PathRequest {
  /** Comes back with the answer. */
  sequence: number;
  paths: { pathId: PathId; state: WantedPathState }[];
}

export type TransportListener = (message: TransportMessage) => void;

/**
 * Port: the live view of the paths under the stream. Implementations: IPC in Electron, WebSocket agent
 * for a browser, replay of a recorded feed, the simulator, and the in-memory fake for tests.
 *
 * Contract (see contract/transport-contract.ts): a new listener first gets the current status and
 * what was last reported of path control, if anything; messages arrive in the order they were made; `samples` have strictly increasing `monotonicMs`; after `closed`
 * nothing arrives; a listener that throws does not silence the others; `close` is idempotent and makes
 * `closed` the last message.
 */
export interface Transport {
  /** CLOCK_MONOTONIC of the machine, in milliseconds, on the feed's time base. */
  nowMs(): number;
  /** Returns the function that unsubscribes. */
  subscribe(listener: TransportListener): () => void;
  /** Which origins (`scheme://host:port`) the media comes from; replaces the earlier set. */
  watch(origins: readonly string[]): void;
  /**
   * Asks for path states; a `path-control` message with the request's `sequence` answers, unless a newer request
   * overtook it. Absent where nobody could act on it.
   */
  requestPaths?(request: PathRequest): void;
  close(): void;
}
