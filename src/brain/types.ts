/** What goes into the brain and what comes out of it. All of it is plain JSON data: what a log holds can be replayed. */
import type { Ladder, MediaType, PathEvent, PathId, SampleBatch } from '../core';
import type { DesiredState, PathEstimatorConfig, RememberedPath, RequestEnd } from '../paths';
import type { Forecast } from '../qoe';

/** What the viewer says of a network. */
export interface NetworkPreference {
  /** Path or interface name, as in the samples. */
  network: string;
  metered?: boolean | undefined;
  /** Price of 1e9 bytes in any one currency; orders the metered networks. */
  costPerGb?: number | undefined;
  /** Bytes it may carry in the session. */
  budgetBytes?: number | undefined;
  /** Use it first. */
  preferred?: boolean | undefined;
}

export interface BrainConfig {
  /** Name of a path policy (`policies` of `paths`). Default `model`. */
  policy: string;
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  /** `multipath`: rungs and abandonment are decided here. `none`: paths only, the player's own rules choose the rung. */
  abr: 'multipath' | 'none';
  networks?: readonly NetworkPreference[] | undefined;
  /** Fall back to the best single path when the set in use delivers less. Default: with every policy but `all`. */
  guard?: boolean | undefined;
  /** What networks carried in an earlier session; for the start. */
  remembered?: readonly RememberedPath[] | undefined;
  /** Tuning of the path estimator. */
  estimator?: Partial<PathEstimatorConfig> | undefined;
}

/** A value for each media type that plays. */
export type PerMedia<T> = Partial<Record<MediaType, T | undefined>>;

/** An HTTP exchange that is under way. */
export interface RequestInFlight {
  /** The one of `request-start` and `request-end`. */
  requestId: number;
  /** Absent for a manifest and the like. */
  mediaType?: MediaType | undefined;
  /** Of the ladder observed with it; -1 where it belongs to no rung. */
  rung: number;
  /** CLOCK_MONOTONIC. */
  startMs: number;
  bytesLoaded: number;
  /** Absent while the size is not known. */
  bytesTotal?: number | undefined;
  /** Length of the media in it; 0 or absent: it is no media (an init segment, a manifest). */
  durationMs?: number | undefined;
}

/** Where a live stream stands. */
export interface LiveEdge {
  /** How far behind the edge the playhead is. */
  latencyMs: number;
  /** What the player aims at. */
  targetLatencyMs?: number | undefined;
  /** Media that can be fetched now beyond what the buffer holds; 0: the next segment does not exist yet. */
  availableMs?: number | undefined;
}

/** Which paths can be steered. `none`: no privilege; the brain decides bitrates only and says what it could do. */
export type ControllablePaths = 'all' | 'none' | readonly PathId[];

/** The player at the moment of a decision. */
export interface BrainObservation {
  /** CLOCK_MONOTONIC, as the samples. */
  monotonicMs: number;
  /** `tick`: every 100 ms. `segment`: a rung for the next segment of `mediaType` is wanted. `path-event`: at once after one. `progress`: bytes arrived. */
  trigger: 'tick' | 'segment' | 'path-event' | 'progress';
  /** With `segment`: whose. */
  mediaType?: MediaType | undefined;
  ladders: readonly Ladder[];
  /** Rung of the last segment asked for; -1 or absent before the first. */
  currentRung: PerMedia<number>;
  bufferMs: PerMedia<number>;
  /** The player stops fetching when it has this much. */
  bufferTargetMs: number;
  playing: boolean;
  requests: readonly RequestInFlight[];
  /** Bytes of the next segments, next first; each by rung, where known. */
  nextSegments?: PerMedia<readonly (readonly (number | undefined)[])[]> | undefined;
  segmentDurationMs: PerMedia<number>;
  /** Absent for video on demand. */
  live?: LiveEdge | undefined;
  control: ControllablePaths;
}

/** A request that was sent. */
export interface RequestBegin {
  requestId: number;
  startMs: number;
}

/** How a request ended; media segments teach how far forecasts are off. */
export interface RequestDone extends RequestEnd {
  /** Of a media segment; absent for everything else, initialisation segments too. */
  mediaType?: MediaType | undefined;
}

/** Everything that happens to a brain, in the order it happens: with its config, all that a replay needs. */
export type BrainInput =
  | { type: 'samples'; batch: SampleBatch }
  | { type: 'path-event'; event: PathEvent }
  | { type: 'request-start'; request: RequestBegin }
  | { type: 'request-end'; request: RequestDone }
  | { type: 'feed-ended' }
  /** The viewer changed a setting: what was learned stays. */
  | { type: 'configure'; config: BrainConfig }
  | { type: 'decide'; observation: BrainObservation };

export interface AbandonChoice {
  requestId: number;
  mediaType: MediaType;
  toRung: number;
  reason: string;
}

export interface BrainDecision {
  monotonicMs: number;
  trigger: BrainObservation['trigger'];
  /** What every known path should be, sorted by name. Only the controllable ones are asked for anything new. */
  paths: { pathId: PathId; desired: DesiredState }[];
  /** Rung for the next segment of `mediaType`; none where it was not asked for or nothing is known to decide with. */
  rungs: PerMedia<number>;
  /** A request to give up for a lower rung. At most one at a time. */
  abandon?: AbandonChoice | undefined;
  /** Of the paths that `paths` asks for. */
  forecast: Forecast;
  /** True where `forecast` may be decided with: a living path feed that has measured something. */
  trusted: boolean;
  /** One line a viewer understands: the rung, else why none. */
  reason: string;
  /** One line a viewer understands: the paths. */
  pathReason: string;
}
