import type { RequestEvent } from '../session-log';

/** Segments kept. Example: 4096, a film of over two hours in segments of 2 s. */
const MAX_SEGMENTS = 4096;

/** The bit rates of consecutive segments, as far as a score needs them. */
export interface RungTotals {
  segments: number;
  sumBps: number;
  /** Sum of the heights of the steps between neighbours. */
  stepsBps: number;
  topBps: number;
}

interface Segment {
  /** Media time; without one, the time of the request. */
  atMs: number;
  mediaStartMs: number | undefined;
  mediaDurationMs: number | undefined;
  endMs: number;
  bitrateBps: number | undefined;
}

type Download = Pick<
  RequestEvent,
  'startMs' | 'endMs' | 'bitrateBps' | 'mediaStartMs' | 'mediaDurationMs'
>;

/**
 * The last complete download of every segment, by media time. Indices restart with every period and may move with a
 * live window. In a long stream the earliest segments become totals. A later download of the same media time then
 * changes nothing.
 */
export class RungSequence {
  readonly #segments: Segment[] = [];
  #folded: RungTotals = { segments: 0, sumBps: 0, stepsBps: 0, topBps: 0 };
  #foldedLastBps: number | undefined;
  #foldedUntilMs = -Infinity;

  add({ startMs, endMs, bitrateBps, mediaStartMs, mediaDurationMs }: Download): void {
    const atMs = mediaStartMs ?? startMs;
    if (!Number.isFinite(atMs) || atMs <= this.#foldedUntilMs) return;
    const fresh = { atMs, mediaStartMs, mediaDurationMs, endMs, bitrateBps };
    const at = this.#placeOf(atMs);
    for (const index of [at - 1, at]) {
      const known = this.#segments[index];
      if (known === undefined) continue;
      if (!(index < at ? isAgain(known, fresh) : isAgain(fresh, known))) continue;
      if (endMs > known.endMs) this.#segments[index] = fresh;
      return;
    }
    this.#segments.splice(at, 0, fresh);
    if (this.#segments.length > MAX_SEGMENTS) this.#fold();
  }

  /** Totals of the segments that start before a media time; later ones were never watched. The first one counts always. */
  totals(untilMs: number): RungTotals {
    let sum = this.#folded;
    let last = this.#foldedLastBps;
    for (const { mediaStartMs, bitrateBps } of this.#segments) {
      if (bitrateBps === undefined) continue;
      if (mediaStartMs !== undefined && mediaStartMs >= untilMs && sum.segments > 0) continue;
      sum = withRung(sum, last, bitrateBps);
      last = bitrateBps;
    }
    return sum;
  }

  /** Numbers that it keeps. */
  get size(): number {
    return 5 * this.#segments.length;
  }

  /** Index of the first segment after a media time. */
  #placeOf(atMs: number): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle]?.atMs ?? Infinity) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #fold(): void {
    const earliest = this.#segments.shift();
    if (earliest === undefined) return;
    this.#foldedUntilMs = earliest.atMs + (earliest.mediaDurationMs ?? 0) / 2;
    if (earliest.bitrateBps === undefined) return;
    this.#folded = withRung(this.#folded, this.#foldedLastBps, earliest.bitrateBps);
    this.#foldedLastBps = earliest.bitrateBps;
  }
}

/** Two downloads of one segment start less than half its length apart. */
function isAgain(earlier: Segment, later: Segment): boolean {
  if (earlier.mediaStartMs === undefined || later.mediaStartMs === undefined) return false;
  return later.mediaStartMs - earlier.mediaStartMs <= (earlier.mediaDurationMs ?? 0) / 2;
}

function withRung(sum: RungTotals, lastBps: number | undefined, bitrateBps: number): RungTotals {
  return {
    segments: sum.segments + 1,
    sumBps: sum.sumBps + bitrateBps,
    stepsBps: sum.stepsBps + Math.abs(bitrateBps - (lastBps ?? bitrateBps)),
    topBps: Math.max(sum.topBps, bitrateBps),
  };
}
