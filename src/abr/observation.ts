import type { Ladder, MediaType } from '../core';

/** A value for each playing media type. */
export type PerMedia<T> = Partial<Record<MediaType, T | undefined>>;

/** Buffer of the media type that runs dry first. Undefined without any. */
export function minBufferMs({ video, audio }: PerMedia<number>): number | undefined {
  const minMs = Math.min(video ?? Infinity, audio ?? Infinity);
  return minMs === Infinity ? undefined : minMs;
}

/** An HTTP exchange in progress. */
export interface RequestInFlight {
  /** The id of `request-start` and `request-end`. */
  requestId: number;
  /** Undefined for manifests and other non-media. */
  mediaType?: MediaType | undefined;
  /** Rung of the ladder observed with it. -1 if it belongs to no rung. */
  rung: number;
  /** CLOCK_MONOTONIC. */
  startMs: number;
  bytesLoaded: number;
  /** Undefined while the size is not known. */
  bytesTotal?: number | undefined;
  /** Length of the media in it. 0 or undefined: not media (an init segment, a manifest). */
  durationMs?: number | undefined;
}

/** Position of a live stream. */
export interface LiveEdge {
  /** Distance of the playhead from the live edge. */
  latencyMs: number;
  /** The player's target latency. */
  targetLatencyMs?: number | undefined;
  /** Available media after the end of the buffer. 0: the next segment does not exist yet. */
  availableMs?: number | undefined;
  /** Media that becomes available at once: a chunk of a growing segment. Absent: a segment. */
  unitMs?: number | undefined;
}

/** State of the player for a decision about rungs. */
export interface AbrObservation {
  /** CLOCK_MONOTONIC, as in the samples. */
  monotonicMs: number;
  ladders: readonly Ladder[];
  /** Rung of the last requested segment. -1 or undefined before the first. */
  currentRung: PerMedia<number>;
  bufferMs: PerMedia<number>;
  /** Buffer at which the player stops fetching. */
  bufferTargetMs: number;
  playing: boolean;
  requests: readonly RequestInFlight[];
  /** Bytes of the next segments, next first; each by rung, if known. */
  nextSegments?: PerMedia<readonly (readonly (number | undefined)[])[]> | undefined;
  segmentDurationMs: PerMedia<number>;
  /** Undefined for video on demand. */
  live?: LiveEdge | undefined;
  /**
   * Speed of the playback; undefined: 1. All times and bit rates of the observation are those of the media. The decision is
   * made in the viewer's time. For a live stream it has no effect: there the player's own catch-up changes it.
   */
  playbackRate?: number | undefined;
}
