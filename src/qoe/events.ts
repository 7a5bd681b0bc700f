/**
 * The session log: one JSON object a line, `config` first. `monotonicMs` is CLOCK_MONOTONIC of the machine
 * that played, so events of the page, of the transport and of the kernel share one time base.
 */
import type { Ladder, MediaType, PathEvent, PathId, SampleBatch, TransportStatus } from '../core';

export const LOG_SCHEMA_VERSION = 1;

interface Stamped {
  monotonicMs: number;
}

/** First line of every log. */
export interface ConfigEvent extends Stamped {
  type: 'config';
  schemaVersion: typeof LOG_SCHEMA_VERSION;
  /** Wall clock at session start, ISO 8601. */
  startedAt: string;
  player: string;
  playerVersion: string;
  /** What was asked for: URL, rules, options, emulated paths. Free form, for the reader. */
  settings: Record<string, unknown>;
}

export interface StatusEvent extends Stamped {
  type: 'status';
  status: TransportStatus;
}

export interface ManifestEvent extends Stamped {
  type: 'manifest';
  url: string;
  kind: 'static' | 'dynamic';
  /** Absent for live. */
  durationMs?: number | undefined;
  ladders: Ladder[];
}

export interface SamplesEvent extends Stamped {
  type: 'samples';
  batch: SampleBatch;
}

export interface PathLogEvent extends Stamped {
  type: 'path';
  event: PathEvent;
}

/** One HTTP exchange, written when it ended. Times are CLOCK_MONOTONIC. */
export interface RequestEvent extends Stamped {
  type: 'request';
  requestId: number;
  kind: 'manifest' | 'init' | 'media' | 'other';
  mediaType?: MediaType | undefined;
  url: string;
  /** -1 where it is not in the ladder told last: a period fetched ahead may bring its own. */
  rung?: number | undefined;
  /** Of the representation asked for. */
  bitrateBps?: number | undefined;
  segmentIndex?: number | undefined;
  /** Media time of the segment's start and its length. */
  mediaStartMs?: number | undefined;
  mediaDurationMs?: number | undefined;
  startMs: number;
  /** Absent when no byte arrived. */
  firstByteMs?: number | undefined;
  endMs: number;
  bytes: number;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  outcome: 'ok' | 'abandoned' | 'failed';
  error?: string | undefined;
}

/** Capacity the adaptation expects, with its inputs. */
export interface Forecast {
  /** Expected goodput of the whole path set. */
  rateBps: number;
  /** Conservative value decisions are made with; never above `rateBps`. */
  safeRateBps: number;
  /** 0 (a guess) to 1. */
  confidence: number;
  /** `paths`: from subflow samples. `requests`: no path feed, dash.js's own request throughput. */
  basis: 'paths' | 'requests';
  paths: { pathId: PathId; rateBps: number; safeRateBps: number; usable: boolean }[];
}

export interface DecisionEvent extends Stamped {
  type: 'decision';
  kind: 'select' | 'abandon';
  rule: string;
  mediaType: MediaType;
  fromRung: number;
  toRung: number;
  bufferMs: number;
  forecast: Forecast;
  /** One line a viewer understands. */
  reason: string;
}

/** The rendered representation changed. */
export interface SwitchEvent extends Stamped {
  type: 'switch';
  mediaType: MediaType;
  fromRung: number;
  toRung: number;
  fromBitrateBps: number;
  toBitrateBps: number;
}

/** Playback began (`startupDelayMs` from the load call to the first frame on screen). */
export interface StartupEvent extends Stamped {
  type: 'startup';
  startupDelayMs: number;
}

/** A rebuffer after start-up, not caused by a seek or a pause. Its start is written once it has lasted 100 ms. */
export interface StallEvent extends Stamped {
  type: 'stall';
  phase: 'start' | 'end';
  /** On `end`. */
  durationMs?: number | undefined;
}

/** State of the player, at least twice a second. */
export interface PlayerEvent extends Stamped {
  type: 'player';
  positionMs: number;
  /** Of the lesser of video and audio. */
  bufferMs: number;
  videoBufferMs?: number | undefined;
  audioBufferMs?: number | undefined;
  playing: boolean;
  /** Rendered video rung; -1 before the first frame. */
  rung: number;
  bitrateBps: number;
  audioBitrateBps?: number | undefined;
  decodedFrames: number;
  droppedFrames: number;
}

export interface ErrorEvent extends Stamped {
  type: 'error';
  code: string;
  message: string;
  /** Playback cannot go on. */
  fatal: boolean;
}

/** Last line of a session that ended in order. */
export interface EndEvent extends Stamped {
  type: 'end';
  reason: 'ended' | 'time-up' | 'closed' | 'failed' | 'interrupted';
}

/** What can be asked of a path. `active`: carries data. `backup`: only when no other lives. `closed`: no subflow. */
export type WantedPathState = 'active' | 'backup' | 'closed';

/** One path as whoever controls the network reports it. */
export interface ControlledPath {
  pathId: PathId;
  interfaceName?: string | undefined;
  state: WantedPathState;
  /** Who made its endpoint: this player, or somebody else. */
  origin: 'own' | 'foreign';
  /** True while it differs from how it was found. */
  changed: boolean;
}

/** Whether paths can be controlled here, and how they stand. */
export interface PathControlReport {
  capability:
    | {
        available: true;
        through: 'direct' | 'helper' | 'fake';
        /** `connections`: only the player's own are touched; else endpoints, which concern everybody's. */
        scope?: 'connections' | undefined;
      }
    | {
        available: false;
        /** One line for the viewer: what is missing and what the player could do with it. */
        reason: string;
      };
  paths: ControlledPath[];
  /** The request this answers; absent where something else changed. */
  sequence?: number | undefined;
  /** What changed, one line. */
  detail?: string | undefined;
  /** Paths that did not take the state asked for. */
  refusals: { pathId: PathId; state: WantedPathState; code: string; reason: string }[];
}

/** One thing that happened to the brain. Written and read by `brain/journal`, which knows what the objects are. */
export type BrainLogEntry =
  | { k: 'config'; config: object }
  /** The log's samples of that time; `lost` replaces their `lostSamples`. */
  | { k: 'samples'; at: number; lost?: number | undefined }
  | { k: 'path'; event: PathEvent }
  | { k: 'start'; requestId: number; startMs: number }
  | { k: 'end'; request: object }
  | { k: 'feed-ended' }
  /** What changed in the observation (null: gone), and what was decided: whole where it changed anything. */
  | { k: 'decide'; observation: object; digest: string; decision?: object | undefined };

/** What the brain was told and what it decided, in order: with the samples, all that `multipath-dash replay` needs. */
export interface BrainEvent extends Stamped {
  type: 'brain';
  entries: BrainLogEntry[];
}

/** Other states of paths are wanted than before. What came of it: the `path-control` event of the same `sequence`. */
export interface PathDecisionEvent extends Stamped {
  type: 'path-decision';
  policy: string;
  desired: { pathId: PathId; state: WantedPathState }[];
  /** Of the request to whoever controls the paths; absent where nobody can. */
  sequence?: number | undefined;
  /** Of the paths that are wanted; what it was made from stands in the `brain` event of the same time. */
  forecast: Forecast;
  /** One line a viewer understands. */
  reason: string;
}

/** Written at the start, after every change of a path's state, and as the answer to every request. */
export interface PathControlEvent extends Stamped {
  type: 'path-control';
  report: PathControlReport;
}

export type LogEvent =
  | ConfigEvent
  | StatusEvent
  | ManifestEvent
  | SamplesEvent
  | PathLogEvent
  | PathControlEvent
  | PathDecisionEvent
  | BrainEvent
  | RequestEvent
  | DecisionEvent
  | SwitchEvent
  | StartupEvent
  | StallEvent
  | PlayerEvent
  | ErrorEvent
  | EndEvent;

export type LogEventType = LogEvent['type'];
