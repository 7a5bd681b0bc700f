import type { Representation } from 'dashjs';
import type { Ladder, MediaType, Rung } from '../../core';
import { pageLimits } from '../../ipc';

/** Periods whose ladders are remembered: periods that play, are preloaded, or have requests in flight. */
const KNOWN_PERIODS = 16;

/** The fields of a dash.js representation that a rung needs. */
export interface Named {
  id: string;
  mediaInfo?: { streamInfo?: { id?: string | null } | null } | null;
}

/** The ladders of the stream, and the mapping from dash.js's representations to rungs. */
export class Ladders {
  readonly #ladders = new Map<MediaType, Ladder>();
  /** Ladders by period: ids are unique only within one. */
  readonly #periods = new Map<string, Map<MediaType, Ladder>>();

  /** Stores a type's representations, none if the period lacks the type. @returns true after a change */
  update(mediaType: MediaType, representations: readonly Representation[]): boolean {
    this.learn(mediaType, representations);
    if (representations.length === 0) return this.#ladders.delete(mediaType);
    const ladder = toLadder(mediaType, representations);
    const before = this.#ladders.get(mediaType);
    this.#ladders.set(mediaType, ladder);
    return JSON.stringify(before) !== JSON.stringify(ladder);
  }

  /** Remembers the ladder of a period that does not play yet. */
  learn(mediaType: MediaType, representations: readonly Representation[]): void {
    const periodId = periodOf(representations[0]);
    if (periodId === undefined) return;
    const period = this.#periods.get(periodId) ?? new Map<MediaType, Ladder>();
    this.#periods.delete(periodId);
    this.#periods.set(periodId, period.set(mediaType, toLadder(mediaType, representations)));
    const [oldest] = this.#periods.keys();
    if (this.#periods.size > KNOWN_PERIODS && oldest !== undefined) this.#periods.delete(oldest);
  }

  all(): Ladder[] {
    return [...this.#ladders.values()];
  }

  of(mediaType: MediaType): Ladder | undefined {
    return this.#ladders.get(mediaType);
  }

  /** Index of the representation in its own period's ladder; -1 if absent. */
  rungOf(mediaType: MediaType, representation: Named | null | undefined): number {
    const period = this.#periods.get(periodOf(representation) ?? '');
    const rungs = (period?.get(mediaType) ?? this.#ladders.get(mediaType))?.rungs ?? [];
    return rungs.findIndex((rung) => rung.representationId === representation?.id);
  }

  bitrateOf(mediaType: MediaType, rung: number): number {
    return this.#ladders.get(mediaType)?.rungs[rung]?.bitrateBps ?? 0;
  }
}

const periodOf = (representation: Named | null | undefined): string | undefined =>
  representation?.mediaInfo?.streamInfo?.id ?? undefined;

/**
 * A rung is its index in the ladder of its period. Rules may receive only part of the ladder: without
 * unplayable rungs, or below a limit in the settings.
 */
export type RungOf = (mediaType: MediaType, representation: Named | null | undefined) => number;

/** A ladder from representations in any order. */
export function toLadder(mediaType: MediaType, representations: readonly Representation[]): Ladder {
  const rungs: Rung[] = [...representations]
    .sort((a, b) => a.bandwidth - b.bandwidth)
    .slice(0, pageLimits.rungs)
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
