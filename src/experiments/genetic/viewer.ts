import type { Ladder } from '../../core';
import type { MediaSizes } from '../../scenario';
import { ladderOf, RateBased } from '../../sim';
import type { ClientOutcome } from './jobs';
import { BUFFER_MS } from './set-up';

/** The outcome of a viewer, without its subflows. */
export type Watched = Omit<ClientOutcome, 'subflows'>;

/** The next request of a viewer. */
export interface ViewerRequest {
  /** Not before this time, on the caller's clock. */
  atMs: number;
  bytes: number;
}

/**
 * A player without pictures, with the rule and the buffer target of the simulated clients; it counts outages. The caller
 * loads the segments.
 */
export class Viewer {
  readonly #film: MediaSizes;
  readonly #ladder: Ladder;
  readonly #rule = new RateBased();
  readonly #throughputBps: number[] = [];
  #segment = 0;
  #rung = 0;
  #bits = 0;
  #switches = 0;
  #outageMs = 0;
  /** Time when the buffer runs dry. */
  #dryMs = -Infinity;

  constructor(film: MediaSizes) {
    this.#film = film;
    this.#ladder = ladderOf(film, 'video');
  }

  /** The next request; undefined after the last segment. */
  next(nowMs: number): ViewerRequest | undefined {
    const { video } = this.#film;
    const count = video[0]?.bytes.length ?? 0;
    if (this.#segment >= count) return undefined;
    const rung = this.#rule.choose({ ladder: this.#ladder, throughputBps: this.#throughputBps });
    if (this.#segment > 0) this.#switches += Math.abs(rung - this.#rung);
    this.#rung = rung;
    const bytes = video[rung]?.bytes[this.#segment] ?? 0;
    return { atMs: Math.max(nowMs, this.#dryMs - BUFFER_MS), bytes };
  }

  /** The segment of the last request is here. */
  arrived(bytes: number, startMs: number, endMs: number): void {
    const { segmentMs, video } = this.#film;
    if (this.#segment > 0) this.#outageMs += Math.max(0, endMs - this.#dryMs);
    this.#dryMs = Math.max(this.#dryMs, endMs) + segmentMs;
    this.#throughputBps.push((bytes * 8000) / Math.max(1, endMs - startMs));
    this.#bits += video[this.#rung]?.bitrateBps ?? 0;
    this.#segment += 1;
  }

  outcome(): Watched {
    const bitrateBps = this.#segment > 0 ? this.#bits / this.#segment : 0;
    return { bitrateBps, switches: this.#switches, outageMs: this.#outageMs };
  }
}
