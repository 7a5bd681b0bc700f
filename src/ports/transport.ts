import type {
  CarriageReport,
  CarriedChunk,
  PathEvent,
  PathId,
  SampleBatch,
  TransportStatus,
  WantedPathState,
} from '../core';
import type { PathControlReport } from '../session-log';

/** Messages of a transport to its listener. */
export type TransportMessage =
  | { type: 'status'; status: TransportStatus }
  | { type: 'samples'; batch: SampleBatch }
  | { type: 'path'; event: PathEvent }
  /**
   * The possibility to control paths, and their states: initially, after every change, and as every
   * answer.
   */
  | { type: 'path-control'; report: PathControlReport }
  /**
   * The present carriage of media. `gatewayUrl`: the player may request media there, and gets it over every network. It carries
   * a secret and is never logged. `chunks`: the requests that ended since the message before; they are for the log only.
   */
  | {
      type: 'carriage';
      report: CarriageReport;
      gatewayUrl?: string | undefined;
      chunks?: CarriedChunk[] | undefined;
    }
  /** The feed has ended permanently (agent killed, channel closed); no message follows. */
  | { type: 'closed'; reason: string };

/** Requests path states; a path that is not named keeps its state. */
export interface PathRequest {
  /** Returned with the answer. */
  sequence: number;
  paths: { pathId: PathId; state: WantedPathState }[];
}

export type TransportListener = (message: TransportMessage) => void;

/**
 * Port: the live view of the paths under the stream. Implementations:
 * - `src/transport`: the Linux feed and the carriage's feed;
 * - `src/player/feed`: the page's end of them over Electron IPC or the agent's WebSocket, and a transport without a feed;
 * - `src/sdk`: the share of one transport for each player of a page;
 * - the in-memory fake for tests.
 *
 * Contract (see contract/transport-contract.ts). A new listener first gets the current status and the last report
 * of path control, if any. Messages arrive in the order of their creation. `samples` have strictly increasing
 * `monotonicMs`. No message follows `closed`. A listener that throws does not affect the others. `close` is
 * idempotent and makes `closed` the last message.
 */
export interface Transport {
  /** CLOCK_MONOTONIC of the machine, in milliseconds, on the feed's time base. */
  nowMs(): number;
  /** Returns the function that unsubscribes. */
  subscribe(listener: TransportListener): () => void;
  /** The origins (`scheme://host:port`) of the media; replaces the earlier set. */
  watch(origins: readonly string[]): void;
  /**
   * Requests path states; a `path-control` message with the request's `sequence` answers. The answer to a newer
   * request may be for both. Absent if nothing can act on it.
   */
  requestPaths?(request: PathRequest): void;
  close(): void;
}
