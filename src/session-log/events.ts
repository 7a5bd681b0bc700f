/**
 * The session log: one JSON object per line, `config` first. `monotonicMs` is CLOCK_MONOTONIC of the playing
 * machine, so events of the page, of the transport and of the kernel share one time base.
 */
import type {
  CarriageReport,
  CarriedChunk,
  Forecast,
  Ladder,
  MediaType,
  PathEvent,
  PathControlCapability,
  PathId,
  SampleBatch,
  TransportStatus,
  WantedPathState,
} from '../core';

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
  /** The requested settings: URL, rules, options, emulated paths. Free form, for the reader. */
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

/** One HTTP exchange, written at its end. Times are CLOCK_MONOTONIC. */
export interface RequestEvent extends Stamped {
  type: 'request';
  requestId: number;
  /** `index`: where the segments of a file lie (sidx, WebM cues). */
  kind: 'manifest' | 'init' | 'index' | 'media' | 'other';
  mediaType?: MediaType | undefined;
  url: string;
  /** Rung in the ladder of the segment's own period; its manifest event may come later. -1 if that ladder lacks it. */
  rung?: number | undefined;
  /** Bit rate of the requested representation. */
  bitrateBps?: number | undefined;
  segmentIndex?: number | undefined;
  /** Media time of the segment's start and its length. */
  mediaStartMs?: number | undefined;
  mediaDurationMs?: number | undefined;
  startMs: number;
  /** Absent if no byte arrived. */
  firstByteMs?: number | undefined;
  endMs: number;
  bytes: number;
  /** The part of them that had arrived before the request was sent. */
  earlyBytes?: number | undefined;
  /** HTTP status; 0 without an answer. */
  status: number;
  outcome: 'ok' | 'abandoned' | 'failed';
  error?: string | undefined;
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
  /** One line for the viewer. */
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
  /** Length of the stall; present with `end`. */
  durationMs?: number | undefined;
}

/** State of the player, every 250 ms (`STATE_PERIOD_MS`). */
export interface PlayerEvent extends Stamped {
  type: 'player';
  positionMs: number;
  /** The smaller buffer of video and audio. */
  bufferMs: number;
  videoBufferMs?: number | undefined;
  audioBufferMs?: number | undefined;
  playing: boolean;
  /** Rendered video rung; -1 before the first frame. */
  rung: number;
  bitrateBps: number;
  audioBitrateBps?: number | undefined;
  /** Distance of the picture from the live edge; absent on demand and before the first picture. */
  liveLatencyMs?: number | undefined;
  decodedFrames: number;
  droppedFrames: number;
}

export interface ErrorEvent extends Stamped {
  type: 'error';
  code: string;
  message: string;
  /** Playback cannot continue. */
  fatal: boolean;
}

/** Last line of a session that ended in order. */
export interface EndEvent extends Stamped {
  type: 'end';
  reason: 'ended' | 'time-up' | 'closed' | 'failed' | 'interrupted';
}

/** The maker of an endpoint: this player, or another program (the user, NetworkManager). */
export type EndpointOrigin = 'own' | 'foreign';

/** One path, as reported by its controller. */
export interface ControlledPath {
  pathId: PathId;
  interfaceName?: string | undefined;
  state: WantedPathState;
  origin: EndpointOrigin;
  /** True while it differs from its original state. */
  changed: boolean;
}

/** The possibility to control paths here, and their states. */
export interface PathControlReport {
  capability: PathControlCapability;
  paths: ControlledPath[];
  /** The request this answers; absent for other changes. */
  sequence?: number | undefined;
  /** The change, one line. */
  detail?: string | undefined;
  /** Paths that did not take the requested state. */
  refusals: { pathId: PathId; state: WantedPathState; code: string; reason: string }[];
}

/** One input of the brain. `src/journal` writes and reads it, and knows its objects. */
export type BrainLogEntry =
  | { k: 'config'; config: object }
  /** The log's samples of that time; `lost` replaces their `lostSamples`. */
  | { k: 'samples'; at: number; lost?: number | undefined }
  | { k: 'path'; event: PathEvent }
  | {
      k: 'start';
      requestId: number;
      mediaType?: MediaType | undefined;
      startMs: number;
      pacedUntilMs?: number | undefined;
    }
  | { k: 'end'; request: object }
  | { k: 'feed-ended' }
  /** Changes of the observation (null: removed), and the decision: complete if it changed anything. */
  | { k: 'decide'; observation: object; digest: string; decision?: object | undefined };

/** The brain's inputs and decisions in order: with the samples, all that `multipath-dash replay` needs. */
export interface BrainEvent extends Stamped {
  type: 'brain';
  entries: BrainLogEntry[];
}

/** Different path states are wanted. The `path-control` event with the same `sequence` has the result. */
export interface PathDecisionEvent extends Stamped {
  type: 'path-decision';
  policy: string;
  desired: { pathId: PathId; state: WantedPathState }[];
  /** Sequence number of the request to the controller of the paths; absent without one. */
  sequence?: number | undefined;
  /** Forecast over the wanted paths; the `brain` event of the same time has its inputs. */
  forecast: Forecast;
  /** One line for the viewer. */
  reason: string;
}

/** Written at the start, after every change of a path's state, and as the answer to every request. */
export interface PathControlEvent extends Stamped {
  type: 'path-control';
  report: PathControlReport;
}

/** The carriage of media: at the start, after every change, and once a second while the counters change. */
export interface CarriageEvent extends Stamped {
  type: 'carriage';
  report: CarriageReport;
  /** Requests that ended since the last such event. */
  chunks?: CarriedChunk[] | undefined;
}

export type LogEvent =
  | ConfigEvent
  | StatusEvent
  | ManifestEvent
  | SamplesEvent
  | PathLogEvent
  | PathControlEvent
  | CarriageEvent
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

/**
 * Events that the transport writes into the log itself. It sends them to the page, so the page neither sends them back
 * nor may write its own.
 */
export const TRANSPORT_EVENTS: ReadonlySet<LogEvent['type']> = new Set([
  'samples',
  'path',
  'status',
  'path-control',
  'carriage',
]);
