/** Inputs and outputs of the brain. All of it is plain JSON data: a log of it can be replayed. */
import type { AbandonChoice, AbrObservation, PerMedia } from '../abr';
import type {
  CarriageKind,
  MediaType,
  NetworkWish,
  OwnAbrName,
  PathEvent,
  PathId,
  SampleBatch,
  Forecast,
  WantedPathState,
} from '../core';
import type { RememberedPath, RequestEnd, RequestStart } from '../estimate';

export interface BrainConfig {
  /** Name of a path policy (`policies` of `src/policy`). Default `model`. */
  policy: string;
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  /** A rule of `src/abr` decides rungs and abandonment. `none`: dash.js's rules choose the rung. */
  abr: OwnAbrName | 'none';
  networks?: readonly NetworkWish[] | undefined;
  /** The carriage of the stream. Over byte ranges another network repeats a failed one's bytes sooner. Default `mptcp`. */
  carriage?: CarriageKind | undefined;
  /** Rates of networks in an earlier session, for the start. */
  remembered?: readonly RememberedPath[] | undefined;
}

/**
 * Paths that can be steered. `none`: no privilege. The brain then decides bitrates only and reports its
 * wanted path changes.
 */
export type ControllablePaths = 'all' | 'none' | readonly PathId[];

/** The player at the moment of a decision. */
export interface BrainObservation extends AbrObservation {
  /**
   * `tick`: every 100 ms. `segment`: the player needs a rung for the next segment of `mediaType`.
   * `path-event`: at once after one. `progress`: bytes arrived.
   */
  trigger: 'tick' | 'segment' | 'path-event' | 'progress';
  /** Media type, with `segment`. */
  mediaType?: MediaType | undefined;
  control: ControllablePaths;
}

/** A sent request. */
export interface RequestSent extends RequestStart {
  /** Of a media segment. Undefined for everything else. */
  mediaType?: MediaType | undefined;
}

/** End of a request. Media segments measure the errors of forecasts. */
export interface RequestDone extends RequestEnd {
  /**
   * Of a media segment. Undefined for everything else: initialization segments, and a segment that its server sent while it
   * was encoded.
   */
  mediaType?: MediaType | undefined;
}

/** All inputs of a brain, in their order. With its configuration, a replay needs nothing else. */
export type BrainInput =
  | { type: 'samples'; batch: SampleBatch }
  | { type: 'path-event'; event: PathEvent }
  | { type: 'request-start'; request: RequestSent }
  | { type: 'request-end'; request: RequestDone }
  | { type: 'feed-ended' }
  /** The viewer changed a setting, or the carriage changed. Learned values stay. */
  | { type: 'configure'; config: BrainConfig }
  | { type: 'decide'; observation: BrainObservation };

export interface BrainDecision {
  monotonicMs: number;
  trigger: BrainObservation['trigger'];
  /** Wanted state of every known path, sorted by name. Only the controllable ones are changed. */
  paths: { pathId: PathId; desired: WantedPathState }[];
  /** Rung for the next segment of `mediaType`. Undefined if it was not requested or no estimate exists. */
  rungs: PerMedia<number>;
  /** A request to abandon for a lower rung. At most one at a time. */
  abandon?: AbandonChoice | undefined;
  /** Of the paths that `paths` asks for. */
  forecast: Forecast;
  /** True if `forecast` is usable: a living path feed has measured something. */
  trusted: boolean;
  /** One line that a viewer understands: the rung, or the reason for none. */
  reason: string;
  /** One line that a viewer understands: the paths. */
  pathReason: string;
}
