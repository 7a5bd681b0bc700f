import type { BrainObservation } from '../../brain';
import type { PerMedia } from '../../abr';
import type { Ladder, MediaType } from '../../core';
import type { NetworkWish } from '../../core';
import type { LogSink, PlayerSnapshot, Transport } from '../../ports';
import type { EndEvent, LogEvent, RequestEvent } from '../../session-log';
import type { Forecast } from '../../core';
import type { NetworkMemory } from '../session/network-memory';
import type { ViewerError } from '../recovery/errors';

/** State of a player at one moment, for a decision of the core. */
export interface PlayerState {
  /** The available rungs, in the order of bitrates; empty before the stream is known. */
  ladders: readonly Ladder[];
  /** Media ahead of the playhead. */
  bufferMs: PerMedia<number>;
  /** Buffer at which the player stops fetching. */
  bufferTargetMs: number;
  /** Length of the next segment. */
  segmentDurationMs: PerMedia<number>;
  /**
   * Bytes of the next segments, next first; each by rung, where known. Five suffice. Fewer than five say that the film ends
   * after them: give an empty list for each further segment of unknown size.
   */
  nextSegments?: BrainObservation['nextSegments'];
  /** Absent for video on demand. */
  live?: BrainObservation['live'];
}

/** Options of `createMultipathCore`. */
export interface MultipathCoreOptions {
  /** Name and version of the player, for the log. Example: `hls.js 1.7.4`. */
  player: string;
  /** The element that shows the stream. Stalls, first frame and end are observed on it. */
  video: HTMLVideoElement;
  /** Returns the state of the player. Called before every decision, ten times a second with path data. */
  observe: () => PlayerState;
  /** Source of path data; default none. The caller closes it. */
  transport?: Transport | undefined;
  /** Destination of logged events. The caller closes it after `destroy`. */
  logSink?: LogSink | undefined;
  /** Path policy by name (`pathPolicies`); default `model`. */
  policy?: string | undefined;
  /** The policy's own settings. */
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  /** Known facts of the networks: their cost, and the bytes they may carry. */
  networks?: readonly NetworkWish[] | undefined;
  /** Storage for the rates of networks, for the next stream; default `localStorage`, false: none. */
  memory?: NetworkMemory | false | undefined;
  /** Added to the log's first line. */
  logSettings?: Record<string, unknown> | undefined;
}

/** A request that was sent. */
export interface RequestBegun {
  url: string;
  /** Absent for a manifest and the like. */
  mediaType?: MediaType | undefined;
  /** Index in the ladder; -1 where it belongs to none. */
  rung: number;
  /** Media in it; 0 or absent: an init segment, a manifest. */
  durationMs?: number | undefined;
  /** Absent while the size is not known. */
  bytesTotal?: number | undefined;
  /** Start on the transport's clock; default now. */
  startMs?: number | undefined;
}

/** The end of a request; times are on the transport's clock. */
export type RequestResult = Omit<RequestEvent, 'type' | 'monotonicMs' | 'requestId'>;

/** A rung for the next segment, and the reason. */
export interface RungChoice {
  /** Index in the ladder that `observe` gave. */
  rung: number;
  /** One line for the viewer. */
  reason: string;
  forecast: Forecast;
}

/** Path-aware decisions for any player. */
export interface PlayerCore {
  /** The transport's clock, whose time is in every event. */
  nowMs(): number;
  /** Begins the session; call when the player loads a stream. */
  begin(manifestUrl: string): void;
  /** Reports the stream's ladders. */
  manifest(kind: 'static' | 'dynamic', durationMs: number | undefined): void;
  /** @returns the id for `requestProgress` and `requestEnded` */
  requestStarted(request: RequestBegun): number;
  requestProgress(requestId: number, bytesLoaded: number): void;
  requestEnded(requestId: number, result: RequestResult): void;
  error(error: ViewerError): void;
  /** The expected rate of the network, from the best available source. */
  forecast(): Forecast;
  /** Rung for the next segment; undefined without path data: the player's own rules decide. */
  decide(mediaType: MediaType): RungChoice | undefined;
  /** The forecast if decisions may use it; undefined without path data. */
  trusted(): Forecast | undefined;
  snapshot(): PlayerSnapshot;
  /** Every event that also goes to the log. @returns the function that unsubscribes */
  subscribe(listener: (event: LogEvent) => void): () => void;
  setPolicy(name: string | undefined): void;
  setNetworks(networks: readonly NetworkWish[]): void;
  /** Ends the session. Idempotent. */
  destroy(reason?: EndEvent['reason']): void;
}
