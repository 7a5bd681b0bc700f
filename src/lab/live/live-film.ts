import { isoBoxType, readableIsoBoxes } from '../../core';

/**
 * A film in segments that an encoder is still writing. Times are of the wall clock, because the manifest names
 * them.
 */
export interface LiveFilm {
  /** Folder with the segments `chunk-NAME-NUMBER.m4s` and their init segments. */
  folder: string;
  segmentMs: number;
  /** Wall clock at the start of the film. */
  startedAtMs: number;
  /** Duration of a CMAF chunk, which is sent when it is complete. Absent: a segment appears as a whole. */
  chunkMs?: number | undefined;
  /** Number of the first segment; default 1. Shaka Packager begins at 0 in low latency mode. */
  firstNumber?: number;
  /** The encoder hangs at this media time. After this delay it continues with all the media it has missed. */
  stall?: { atMs: number; lateMs: number };
  /** Older segments are deleted. */
  windowMs?: number;
}

/** Margin behind the window, because players may request its oldest segment a little late. */
const WINDOW_SLACK_MS = 4000;

/** Wall clock at which the encoder has written everything up to a media time. */
export function readyAtMs({ startedAtMs, stall }: LiveFilm, mediaMs: number): number {
  const onTimeMs = startedAtMs + mediaMs;
  if (!stall || mediaMs < stall.atMs) return onTimeMs;
  return Math.max(onTimeMs, startedAtMs + stall.atMs + stall.lateMs);
}

/** Media time of a segment by its file name; undefined for an init segment. */
export function segmentStartMs(film: LiveFilm, file: string): number | undefined {
  const number = /^chunk-.*-(\d+)\.m4s$/.exec(file)?.[1];
  if (number === undefined) return undefined;
  return (Number(number) - (film.firstNumber ?? 1)) * film.segmentMs;
}

/** True once the segment has left the window. */
export function isGone(film: LiveFilm, startMs: number, nowMs: number): boolean {
  const { windowMs = Infinity, segmentMs, startedAtMs } = film;
  return nowMs > startedAtMs + startMs + segmentMs + windowMs + WINDOW_SLACK_MS;
}

const MDAT = isoBoxType('mdat');

/** The CMAF chunks of a segment (ISO/IEC 23000-19, 7.3.2.3): each ends with its `mdat`. */
export function splitChunks(segment: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  let from = 0;
  for (const { type, end } of readableIsoBoxes(segment)) {
    if (type !== MDAT) continue;
    chunks.push(segment.subarray(from, end));
    from = end;
  }
  return chunks;
}
