import type { Representation } from 'dashjs';
import type { Ladder, MediaType, Rung } from '../core';
import { limits } from '../ipc';

/** The ladders of the stream and the way back from dash.js's representations to their rungs. */
export class Ladders {
  readonly #ladders = new Map<MediaType, Ladder>();

  /** Takes over a type's representations, none where the period lacks the type; true when that changed anything. */
  update(mediaType: MediaType, representations: readonly Representation[]): boolean {
    if (representations.length === 0) return this.#ladders.delete(mediaType);
    const ladder = toLadder(mediaType, representations);
    const before = this.#ladders.get(mediaType);
    this.#ladders.set(mediaType, ladder);
    return JSON.stringify(before) !== JSON.stringify(ladder);
  }

  all(): Ladder[] {
    return [...this.#ladders.values()];
  }

  of(mediaType: MediaType): Ladder | undefined {
    return this.#ladders.get(mediaType);
  }

  /** -1 where the representation is not in the ladder. */
  rungOf(mediaType: MediaType, representationId: string | undefined): number {
    const rungs = this.#ladders.get(mediaType)?.rungs ?? [];
    return rungs.findIndex((rung) => rung.representationId === representationId);
  }

  bitrateOf(mediaType: MediaType, rung: number): number {
    return this.#ladders.get(mediaType)?.rungs[rung]?.bitrateBps ?? 0;
  }
}

/**
 * Rungs are told by their place in the stream's ladder; rules may be offered a part of it only (a rung that
 * cannot be played, a limit in the settings).
 */
export type RungOf = (mediaType: MediaType, representationId: string | undefined) => number;

/** A ladder from representations in any order. */
export function toLadder(mediaType: MediaType, representations: readonly Representation[]): Ladder {
  const rungs: Rung[] = [...representations]
    .sort((a, b) => a.bandwidth - b.bandwidth)
    .slice(0, limits.rungs)
    .map((representation, index) => ({
      index,
      representationId: representation.id,
      bitrateBps: representation.bandwidth,
      ...(representation.width > 0 ? { width: representation.width } : {}),
      ...(representation.height > 0 ? { height: representation.height } : {}),
      ...(representation.codecs ? { codecs: representation.codecs } : {}),
    }));
  return { mediaType, rungs };
}
