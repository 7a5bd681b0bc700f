/** A time interval; `endMs` is Infinity while it lasts. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** Joins overlapping and touching spans; sorted by start. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.startMs - b.startMs)) {
    if (!(span.endMs >= span.startMs)) continue;
    const last = merged.at(-1);
    if (last && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs);
    else merged.push({ ...span });
  }
  return merged;
}

/** Part of [startMs, endMs] that merged, sorted `spans` cover. */
export function coveredMs(spans: readonly Span[], startMs: number, endMs: number): number {
  let covered = 0;
  for (const span of spans) {
    if (span.startMs >= endMs) break;
    covered += Math.max(0, Math.min(span.endMs, endMs) - Math.max(span.startMs, startMs));
  }
  return covered;
}
