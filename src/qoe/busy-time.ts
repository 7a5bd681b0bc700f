import type { Span } from '../core';

/** Number of spans kept. Requests end in about the order of their starts, so no new span overlaps an older one. */
const MAX_SPANS = 256;

/** Length of the union of spans, for a stream of spans of any length. */
export class BusyTime {
  /** Disjoint spans, by start. */
  readonly #spans: Span[] = [];
  #foldedMs = 0;
  #foldedUntilMs = -Infinity;

  /** Time before the spans that are kept is already counted. A span that ends before it starts is ignored. */
  add({ startMs, endMs }: Span): void {
    const fresh = { startMs: Math.max(startMs, this.#foldedUntilMs), endMs };
    if (!(fresh.endMs >= fresh.startMs)) return;
    let from = this.#spans.length;
    while (from > 0 && (this.#spans[from - 1]?.endMs ?? 0) >= fresh.startMs) from -= 1;
    let to = from;
    for (let span = this.#spans[to]; span && span.startMs <= fresh.endMs; span = this.#spans[to]) {
      fresh.startMs = Math.min(fresh.startMs, span.startMs);
      fresh.endMs = Math.max(fresh.endMs, span.endMs);
      to += 1;
    }
    this.#spans.splice(from, to - from, fresh);
    if (this.#spans.length > MAX_SPANS) this.#fold();
  }

  get totalMs(): number {
    return this.#spans.reduce((sum, one) => sum + one.endMs - one.startMs, this.#foldedMs);
  }

  /** Numbers that it keeps. */
  get size(): number {
    return 2 * this.#spans.length;
  }

  #fold(): void {
    const oldest = this.#spans.shift();
    if (oldest === undefined) return;
    this.#foldedMs += oldest.endMs - oldest.startMs;
    this.#foldedUntilMs = oldest.endMs;
  }
}
