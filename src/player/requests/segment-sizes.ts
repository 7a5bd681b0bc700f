import type { Representation } from 'dashjs';
import type { MediaType } from '../../core';
import { finite } from '../dashjs/dash-types';
import { member } from '../dashjs/member';

/** A completely downloaded media segment. */
export interface ArrivedSegment {
  mediaType: MediaType;
  representationId: string;
  startMs: number;
  bytes: number;
}

interface IndexedSegment {
  presentationStartTime?: number | null;
  duration?: number | null;
  mediaRange?: unknown;
}

/** Sizes kept; a long stream forgets old ones. */
const MAX_KNOWN = 4096;

const keyOf = (mediaType: MediaType, representationId: string, startMs: number): string =>
  `${mediaType} ${representationId} ${Math.round(startMs / 10)}`;

/** `100-299` is 200 bytes. */
function rangeBytes(range: unknown): number | undefined {
  const match = typeof range === 'string' ? /^(\d+)-(\d+)$/.exec(range) : null;
  if (!match) return undefined;
  const bytes = Number(match[2]) - Number(match[1]) + 1;
  return bytes > 0 ? bytes : undefined;
}

/** The index entry of the segment that begins at a time; segments are sorted by it. */
function indexed(segments: readonly IndexedSegment[], startMs: number): IndexedSegment | undefined {
  let low = 0;
  let high = segments.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const atMs = (segments[middle]?.presentationStartTime ?? 0) * 1000;
    if (Math.abs(atMs - startMs) <= 10) return segments[middle];
    if (atMs < startMs) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** The parts of dash.js's manifest view that lead to a SegmentList. */
interface ListedRepresentation {
  index?: number | null;
  startNumber?: number | null;
  segmentDuration?: number | null;
  adaptation?: {
    index?: number | null;
    period?: {
      index?: number | null;
      start?: number | null;
      mpd?: { manifest?: unknown } | null;
    } | null;
  } | null;
}

/**
 * The byte range in a SegmentList of the segment that begins at a time. The segments are numbered as in
 * dash.js, which creates them one by one on request. Lists that begin at another number are ignored.
 */
function listedRange(one: ListedRepresentation, startMs: number): unknown {
  const period = one.adaptation?.period;
  const seconds = one.segmentDuration ?? 0;
  if (!(seconds > 0) || (one.startNumber ?? 1) > 1) return undefined;
  const index = Math.round((startMs / 1000 - (period?.start ?? 0)) / seconds);
  const isStart = Math.abs((period?.start ?? 0) + index * seconds - startMs / 1000) <= 0.01;
  if (!isStart) return undefined;
  const sets = member(period?.mpd?.manifest, 'Period', period?.index, 'AdaptationSet');
  const list = member(sets, one.adaptation?.index, 'Representation', one.index, 'SegmentList');
  return member(list, 'SegmentURL', index, 'mediaRange');
}

/**
 * Number of bytes of a segment, if known before its request: from the stream's index (sidx), from its
 * SegmentList's byte ranges, or from an earlier download. Unknown sizes are not guessed here: the planner
 * knows the declared bit rate, and that it is no size.
 */
export class SegmentSizes {
  readonly #known = new Map<string, number>();

  arrived({ mediaType, representationId, startMs, bytes }: ArrivedSegment): void {
    if (!(bytes > 0)) return;
    this.#known.set(keyOf(mediaType, representationId, startMs), bytes);
    if (this.#known.size > MAX_KNOWN) {
      const oldest = this.#known.keys().next();
      if (oldest.done !== true) this.#known.delete(oldest.value);
    }
  }

  /** The real size; undefined if unknown. */
  exact(mediaType: MediaType, one: Representation, startMs: number): number | undefined {
    const segments = (one.segments as IndexedSegment[] | null | undefined) ?? [];
    return (
      rangeBytes(indexed(segments, startMs)?.mediaRange) ??
      rangeBytes(listedRange(one, startMs)) ??
      this.#known.get(keyOf(mediaType, one.id, startMs))
    );
  }

  /**
   * The next segments from a time on, each with its known sizes by rung.
   * @param representations sorted by bit rate
   */
  next(
    mediaType: MediaType,
    representations: readonly Representation[],
    fromMs: number,
    count: number,
  ): (number | undefined)[][] {
    const durationMs = segmentDurationMs(representations[0]);
    if (!(durationMs > 0)) return [];
    return Array.from({ length: count }, (_, ahead) =>
      representations.map((one) => this.exact(mediaType, one, fromMs + ahead * durationMs)),
    );
  }
}

/** 0 if unknown. */
export function segmentDurationMs(one: Representation | undefined): number {
  const seconds = finite(one?.fragmentDuration) ?? finite(one?.segmentDuration) ?? 0;
  return Math.max(0, Math.round(seconds * 1000));
}
