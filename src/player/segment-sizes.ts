import type { Representation } from 'dashjs';
import { emptyEwma, ewmaMean, updateEwma, type Ewma, type MediaType } from '../core';
import { finite } from './dash-types';

/** A media segment that has arrived whole. */
export interface ArrivedSegment {
  mediaType: MediaType;
  representationId: string;
  startMs: number;
  durationMs: number;
  bitrateBps: number;
  bytes: number;
}

interface IndexedSegment {
  presentationStartTime?: number | null;
  duration?: number | null;
  mediaRange?: unknown;
}

/** Sizes kept; a long stream forgets what it played long ago. */
const MAX_KNOWN = 4096;
/** Media after which an old ratio of real to declared size weighs half. Example: 20 s, ten segments. */
const RATIO_HALF_LIFE_MS = 20_000;

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

/**
 * How many bytes a segment has, as well as can be known before it is asked for: from the stream's index
 * (sidx), from having fetched it before, else from its duration and declared bit rate times the share of the
 * declared rate that this medium has really taken so far.
 */
export class SegmentSizes {
  readonly #known = new Map<string, number>();
  readonly #ratio = new Map<MediaType, Ewma>();

  arrived(segment: ArrivedSegment): void {
    const { mediaType, representationId, startMs, durationMs, bitrateBps, bytes } = segment;
    if (!(bytes > 0) || !(durationMs > 0)) return;
    this.#known.set(keyOf(mediaType, representationId, startMs), bytes);
    if (this.#known.size > MAX_KNOWN) {
      const oldest = this.#known.keys().next();
      if (oldest.done !== true) this.#known.delete(oldest.value);
    }
    if (!(bitrateBps > 0)) return;
    const ratio = (bytes * 8000) / durationMs / bitrateBps;
    const before = this.#ratio.get(mediaType) ?? emptyEwma;
    this.#ratio.set(mediaType, updateEwma(before, ratio, durationMs, RATIO_HALF_LIFE_MS));
  }

  /** The real size; undefined where neither the index nor an earlier download tells. */
  exact(mediaType: MediaType, one: Representation, startMs: number): number | undefined {
    const segments = (one.segments as IndexedSegment[] | null | undefined) ?? [];
    const fromIndex = rangeBytes(indexed(segments, startMs)?.mediaRange);
    return fromIndex ?? this.#known.get(keyOf(mediaType, one.id, startMs));
  }

  /**
   * The next segments from a time on, each with its size by rung.
   * @param representations sorted by bit rate
   */
  next(
    mediaType: MediaType,
    representations: readonly Representation[],
    fromMs: number,
    count: number,
  ): (number | undefined)[][] {
    const ratio = ewmaMean(this.#ratio.get(mediaType) ?? emptyEwma);
    const durationMs = segmentDurationMs(representations[0]);
    if (!(durationMs > 0)) return [];
    return Array.from({ length: count }, (_, ahead) =>
      representations.map((one) => {
        const real = this.exact(mediaType, one, fromMs + ahead * durationMs);
        if (real !== undefined || ratio === undefined) return real;
        return Math.round((one.bandwidth * durationMs * ratio) / 8000);
      }),
    );
  }
}

/** 0 where it is not known. */
export function segmentDurationMs(one: Representation | undefined): number {
  const seconds = finite(one?.fragmentDuration) ?? finite(one?.segmentDuration) ?? 0;
  return Math.max(0, Math.round(seconds * 1000));
}
