import type { MediaType } from '../../core';

/** A stretch of media time. */
export interface TimeRange {
  startMs: number;
  endMs: number;
}

/** Playback crosses smaller gaps without a jump: rounded times, and audio frames that overlap a border. */
const TOLERANCE_MS = 250;
/** Holes kept; a long stream forgets old ones. */
const MAX_HOLES = 64;

/**
 * Skipped stretches that nobody will fetch: segments missing at every rung, and segments refused by the
 * decoder. dash.js counts its buffer only up to the first hole. Behind a hole it therefore fetches without a
 * bound, and it fetches audio only up to the hole.
 */
export class BufferHoles {
  readonly #holes = new Map<MediaType, TimeRange[]>();
  readonly #askedToMs = new Map<MediaType, number>();

  /**
   * Records a requested segment. Requests ahead of the position are in order, so media between two of them was
   * skipped. After a seek the earlier request lies behind the position: the element changes its position at once and
   * sends its events later.
   */
  asked(mediaType: MediaType, { startMs, endMs }: TimeRange, positionMs: number): void {
    const fromMs = this.#askedToMs.get(mediaType);
    this.#askedToMs.set(mediaType, endMs);
    const holes = this.#of(mediaType).filter(
      (hole) => hole.endMs <= startMs || hole.startMs >= endMs,
    );
    this.#holes.set(mediaType, holes);
    if (fromMs === undefined || positionMs > fromMs + TOLERANCE_MS) return;
    if (startMs - fromMs > TOLERANCE_MS) {
      this.passed(mediaType, { startMs: fromMs, endMs: startMs });
    }
  }

  /** Records a segment that cannot be fetched. */
  passed(mediaType: MediaType, hole: TimeRange): void {
    this.#holes.set(mediaType, [...this.#of(mediaType), hole].slice(-MAX_HOLES));
  }

  /**
   * Media ahead of a position, across holes. Undefined without a hole to cross.
   * @param ranges buffered ranges, ascending
   */
  aheadMs(
    mediaType: MediaType,
    ranges: readonly TimeRange[],
    positionMs: number,
  ): number | undefined {
    const holes = this.#of(mediaType).filter(({ endMs }) => endMs > positionMs);
    if (holes.length === 0) return undefined;
    const covering = (from: readonly TimeRange[], atMs: number): TimeRange | undefined =>
      from.find(({ startMs, endMs }) => startMs <= atMs + TOLERANCE_MS && endMs > atMs);
    let atMs = positionMs;
    let aheadMs = 0;
    for (;;) {
      const range = covering(ranges, atMs);
      if (range) {
        aheadMs += range.endMs - Math.max(atMs, range.startMs);
        atMs = range.endMs;
        continue;
      }
      const hole = covering(holes, atMs);
      if (!hole) return aheadMs;
      atMs = hole.endMs;
    }
  }

  #of(mediaType: MediaType): TimeRange[] {
    return this.#holes.get(mediaType) ?? [];
  }
}
