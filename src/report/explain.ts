import {
  coveredMs,
  emptyLedger,
  formatBitRate,
  formatBytes,
  formatShare,
  median,
  mergeSpans,
  observeBatch,
  type LedgerInterval,
} from '../core';
import type { LogEvent } from '../session-log';
import type { SessionSummary } from '../qoe';

/** Minimum common time for a verdict. */
const MIN_COMPARE_MS = 1000;
/** Share of an interval with a request outstanding from which it counts. Chosen; no measurement. */
const BUSY_SHARE = 0.95;
/** Change of the rate from which paths together are better or worse than the best one. */
const CLEAR_CHANGE = 0.1;
/** Ratio of two rates from which the paths differ. Chosen; no measurement. */
const CLEAR_RATIO = 1.5;

/** The data's verdict about using several paths at once. */
export interface PathExplanation {
  /** One sentence. `null`: fewer than two paths carried data. */
  verdict: string | null;
  /** `worse`: slower than the best path alone; `same`: within 10 %; `better`. */
  outcome: 'worse' | 'same' | 'better' | null;
  facts: string[];
  /** Rate of each path while it was busy. */
  pathRates: { id: string; rateBps: number; rcvRttMs: number | null }[];
  /** Share of request time in which only the slowest path delivered, 0 to 1. */
  slowTailShare: number;
  /** Share of request time in which the best path carried nothing, 0 to 1. */
  bestIdleShare: number;
}

/** Explains, from a session's own numbers, how its paths affected each other. */
export function explainPaths(
  events: readonly LogEvent[],
  summary: SessionSummary,
): PathExplanation {
  const requested = requestIntervals(events);
  const intervals = requested
    .filter(({ interval, busyMs }) => busyMs >= BUSY_SHARE * (interval.endMs - interval.startMs))
    .map(({ interval }) => interval);
  const pathRates = summary.paths
    .filter((path) => path.bytes > 0)
    .map((path) => ({
      id: path.id,
      rateBps: busyRate(path.id, intervals) ?? path.activeRateBps,
      rcvRttMs: path.rcvRttMs,
    }))
    .sort((a, b) => b.rateBps - a.rateBps);
  const best = pathRates[0];
  const slow = pathRates.at(-1);
  // Only intervals in which both could carry: an outage is a different cause.
  const bothActive = (one: LedgerInterval): boolean =>
    one.paths.get(best?.id ?? '')?.state === 'active' &&
    one.paths.get(slow?.id ?? '')?.state === 'active';
  const both = intervals.filter(bothActive);
  // Including the edges of requests: out-of-order bytes are often released in the very last interval.
  const touched = requested.filter(({ interval }) => bothActive(interval));
  const bothMs = touched.reduce((sum, one) => sum + one.busyMs, 0);
  const bothBytes = touched.reduce((sum, one) => sum + one.interval.inOrderBytes, 0);
  if (!best || !slow || best === slow || bothMs < MIN_COMPARE_MS) {
    const facts = [
      'Fewer than two paths were active together while segments loaded: nothing to compare.',
    ];
    return {
      verdict: null,
      outcome: null,
      facts,
      pathRates,
      slowTailShare: 0,
      bestIdleShare: 0,
    };
  }
  const goodputBps = (bothBytes * 8000) / bothMs;
  const slowTailShare = share(
    both,
    (one) => bytesOf(one, slow.id) > 0 && !othersMoved(one, slow.id),
  );
  const bestIdleShare = share(both, (one) => bytesOf(one, best.id) === 0);
  const ratio = goodputBps / best.rateBps;
  const outcome = ratio < 1 - CLEAR_CHANGE ? 'worse' : ratio > 1 + CLEAR_CHANGE ? 'better' : 'same';
  const sumBps = pathRates.reduce((sum, path) => sum + path.rateBps, 0);
  const verdict = {
    worse: `Together the paths were slower than ${best.id} alone: while both were active and segments loaded, ${formatBitRate(goodputBps)} arrived, ${formatShare(ratio)} of the ${formatBitRate(best.rateBps)} that ${best.id} carries when it is kept busy.`,
    same: `Together the paths delivered no more than ${best.id} alone: ${formatBitRate(goodputBps)} against ${formatBitRate(best.rateBps)}.`,
    better: `The paths helped each other: ${formatBitRate(goodputBps)} arrived while both were active and segments loaded, ${ratio.toFixed(2)} times the ${formatBitRate(best.rateBps)} of ${best.id}, the best path.`,
  }[outcome];

  const facts: string[] = [];
  const times = best.rateBps / Math.max(1, slow.rateBps);
  const rtts =
    best.rcvRttMs !== null && slow.rcvRttMs !== null
      ? `; the receiver sees round trips of ${best.rcvRttMs.toFixed(0)} and ${slow.rcvRttMs.toFixed(0)} ms`
      : '';
  facts.push(
    times >= CLEAR_RATIO
      ? `The paths differ: ${best.id} carries ${times.toFixed(1)} times the rate of ${slow.id} (${formatBitRate(best.rateBps)} and ${formatBitRate(slow.rateBps)})${rtts}.`
      : `The paths are alike in rate (${formatBitRate(best.rateBps)} and ${formatBitRate(slow.rateBps)})${rtts}.`,
  );
  facts.push(
    `Segment tails: in ${formatShare(slowTailShare)} of that time only ${slow.id} delivered, while the rest of the segment was already there. ${best.id} carried nothing in ${formatShare(bestIdleShare)} of it.`,
  );
  facts.push(
    `Head-of-line blocking: on average ${formatBytes(summary.holBytes.mean)} and at most ${formatBytes(summary.holBytes.max)} had arrived but waited for an earlier byte on another path.`,
  );
  facts.push(
    `Of the ${formatBitRate(sumBps)} that the paths carry when each is kept busy, the player got ${formatShare(goodputBps / sumBps)}.`,
  );
  if (outcome === 'worse') {
    facts.push(
      `Plain MPTCP hands every path data whenever it has room. What ${slow.id} holds of a segment arrives last, and the player cannot use the segment before. Setting ${slow.id} to backup gives ${best.id} the whole stream.`,
    );
  }
  return { verdict, outcome, facts, pathRates, slowTailShare, bestIdleShare };
}

interface RequestedInterval {
  interval: LedgerInterval;
  /** Share of the interval in which segments were requested. */
  busyMs: number;
}

/** Sample intervals with requests for segments, whole or partial. */
function requestIntervals(events: readonly LogEvent[]): RequestedInterval[] {
  const spans = mergeSpans(
    events.flatMap((event) =>
      event.type === 'request' && event.kind === 'media'
        ? [{ startMs: event.startMs, endMs: event.endMs }]
        : [],
    ),
  );
  const intervals: RequestedInterval[] = [];
  let ledger = emptyLedger;
  let first = 0;
  for (const event of events) {
    if (event.type !== 'samples') continue;
    const result = observeBatch(ledger, event.batch);
    ledger = result.ledger;
    const { interval } = result;
    if (!interval?.continuous) continue;
    while ((spans[first]?.endMs ?? Infinity) < interval.startMs) first += 1;
    // Two requests may meet within one interval.
    const near = spans.slice(first, first + 4);
    const busyMs = coveredMs(near, interval.startMs, interval.endMs);
    if (busyMs > 0) intervals.push({ interval, busyMs });
  }
  return intervals;
}

function bytesOf(interval: LedgerInterval, id: string): number {
  return interval.paths.get(id)?.bytes ?? 0;
}

function othersMoved(interval: LedgerInterval, id: string): boolean {
  for (const [other, path] of interval.paths) if (other !== id && path.bytes > 0) return true;
  return false;
}

function share(
  intervals: readonly LedgerInterval[],
  holds: (interval: LedgerInterval) => boolean,
): number {
  let all = 0;
  let hits = 0;
  for (const interval of intervals) {
    const ms = interval.endMs - interval.startMs;
    all += ms;
    if (holds(interval)) hits += ms;
  }
  return all > 0 ? hits / all : 0;
}

/** Median rate over intervals whose neighbours had bytes too, in which the path was busy throughout. */
function busyRate(id: string, intervals: readonly LedgerInterval[]): number | undefined {
  const rates: number[] = [];
  for (const [i, interval] of intervals.entries()) {
    const before = intervals[i - 1];
    const after = intervals[i + 1];
    const adjacent = before?.endMs === interval.startMs && after?.startMs === interval.endMs;
    if (!adjacent || [before, interval, after].some((one) => bytesOf(one, id) === 0)) continue;
    rates.push((bytesOf(interval, id) * 8000) / (interval.endMs - interval.startMs));
  }
  return rates.length >= 5 ? median(rates) : undefined;
}
