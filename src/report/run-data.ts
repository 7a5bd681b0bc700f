import {
  carriedBytes,
  emptyLedger,
  formatBitRate,
  formatBytes,
  observeBatch,
  type PathEvent,
  formatSeconds,
} from '../core';
import type { LogEvent, RequestEvent } from '../session-log';
import type { RequestBar, RunData } from './report-data';

/** Points per plot: more are invisible and make the page heavy. */
const MAX_BINS = 1500;
/** Least width of a bin: shorter ones show single packets. Chosen; no measurement. */
const MIN_BIN_MS = 500;

/** Plot data of one session, in at most this many bins. */
export function runData(events: readonly LogEvent[], maxBins = MAX_BINS): RunData {
  const { startMs, endMs } = extent(events);
  const binMs = Math.max(MIN_BIN_MS, Math.ceil((endMs - startMs) / maxBins));
  const bins = Math.max(1, Math.ceil((endMs - startMs) / binMs));
  const binOf = (ms: number): number =>
    Math.min(bins - 1, Math.max(0, Math.floor((ms - startMs) / binMs)));
  const seconds = (ms: number): number => Math.round(ms - startMs) / 1000;

  const pathBits = new Map<string, number[]>();
  const outOfOrderKb = Array.from({ length: bins }, () => 0);
  const shown = emptyBins(bins);
  const buffer = emptyBins(bins);
  const position = emptyBins(bins);
  const latency = emptyBins(bins);
  const stalls: RunData['stalls'] = [];
  const marks: RunData['events'] = [];
  const requests: RequestBar[] = [];
  let rungLabels: string[] = [];
  let ledger = emptyLedger;
  let stallStartMs: number | undefined;

  for (const event of events) {
    if (event.type === 'samples') {
      const result = observeBatch(ledger, event.batch);
      ledger = result.ledger;
      const { interval } = result;
      if (!interval?.continuous) continue;
      for (const [id, path] of interval.paths) {
        const bits = pathBits.get(id) ?? Array.from({ length: bins }, () => 0);
        pathBits.set(id, bits);
        spread(bits, path.bytes * 8, interval.startMs - startMs, interval.endMs - startMs, binMs);
      }
      const bin = binOf(interval.endMs);
      outOfOrderKb[bin] = Math.max(outOfOrderKb[bin] ?? 0, interval.outOfOrderBytes / 1000);
    } else if (event.type === 'player') {
      const bin = binOf(event.monotonicMs);
      shown[bin] = event.rung >= 0 ? event.bitrateBps / 1e6 : null;
      buffer[bin] = event.bufferMs / 1000;
      if (event.liveLatencyMs !== undefined) latency[bin] = event.liveLatencyMs / 1000;
      position[bin] = event.positionMs / 1000;
    } else if (event.type === 'stall') {
      if (event.phase === 'start') stallStartMs ??= event.monotonicMs;
      else {
        const from = stallStartMs ?? event.monotonicMs - (event.durationMs ?? 0);
        stalls.push({ startS: seconds(from), endS: seconds(event.monotonicMs) });
        stallStartMs = undefined;
      }
    } else if (event.type === 'path') {
      const mark = pathMark(event.event);
      if (mark) marks.push({ atS: seconds(event.event.monotonicMs), ...mark });
    } else if (event.type === 'manifest') {
      const video = event.ladders.find((ladder) => ladder.mediaType === 'video');
      rungLabels = video?.rungs.map((rung) => formatBitRate(rung.bitrateBps)) ?? rungLabels;
    } else if (event.type === 'request' && event.kind === 'media') {
      requests.push(requestBar(event, seconds, rungLabels));
    }
  }
  if (stallStartMs !== undefined) {
    stalls.push({ startS: seconds(stallStartMs), endS: seconds(endMs) });
  }
  const pathIds = [...pathBits.keys()].sort();
  return {
    atS: Array.from({ length: bins }, (_, i) => ((i + 0.5) * binMs) / 1000),
    binS: binMs / 1000,
    pathIds,
    pathMbps: pathIds.map((id) => (pathBits.get(id) ?? []).map((bits) => bits / binMs / 1000)),
    shownMbps: holdLast(shown),
    bufferS: holdLast(buffer),
    latencyS: holdLast(latency),
    positionS: holdLast(position),
    outOfOrderKb,
    stalls,
    events: marks,
    requests,
    rungLabels,
  };
}

function extent(events: readonly LogEvent[]): { startMs: number; endMs: number } {
  let startMs = Infinity;
  let endMs = -Infinity;
  for (const { monotonicMs } of events) {
    startMs = Math.min(startMs, monotonicMs);
    endMs = Math.max(endMs, monotonicMs);
  }
  return startMs <= endMs ? { startMs, endMs } : { startMs: 0, endMs: 0 };
}

function emptyBins(bins: number): (number | null)[] {
  return Array.from({ length: bins }, () => null);
}

/** Distributes bits over the bins of an interval, in proportion. */
function spread(bits: number[], amount: number, fromMs: number, toMs: number, binMs: number): void {
  const ms = toMs - fromMs;
  // A damaged log may place the interval anywhere.
  const first = Math.max(0, Math.floor(fromMs / binMs));
  for (let bin = first; bin * binMs < toMs && bin < bits.length; bin += 1) {
    const shareMs = Math.min(toMs, (bin + 1) * binMs) - Math.max(fromMs, bin * binMs);
    bits[bin] = (bits[bin] ?? 0) + (amount * shareMs) / ms;
  }
}

/** A bin without a player event shows the last known state. */
function holdLast(values: readonly (number | null)[]): (number | null)[] {
  let last: number | null = null;
  return values.map((value) => (last = value ?? last));
}

function pathMark(event: PathEvent): { label: string; lost: boolean } | undefined {
  const name = event.pathId ?? event.interfaceName ?? event.address ?? 'path';
  switch (event.kind) {
    case 'interface-down':
      return { label: `${name} down`, lost: true };
    case 'interface-up':
      return { label: `${name} up`, lost: false };
    case 'address-removed':
      return { label: `${name} lost its address`, lost: true };
    case 'subflow-closed':
      return { label: `${name} left`, lost: true };
    case 'subflow-established':
      return { label: `${name} joined`, lost: false };
    case 'subflow-priority':
      return event.backup === true
        ? { label: `${name} to backup`, lost: true }
        : { label: `${name} to active`, lost: false };
    case 'address-added':
    case 'route-changed':
      return undefined;
  }
}

function requestBar(
  request: RequestEvent,
  seconds: (ms: number) => number,
  rungLabels: readonly string[],
): RequestBar {
  const audio = request.mediaType === 'audio';
  const ms = request.endMs - request.startMs;
  const speed = ms > 0 ? `, ${formatBitRate((carriedBytes(request) * 8000) / ms)}` : '';
  const rung = request.rung ?? 0;
  // The labels are those of the ladder logged last, which may be another period's.
  const rate =
    request.bitrateBps === undefined ? rungLabels[rung] : formatBitRate(request.bitrateBps);
  return {
    startS: seconds(request.startMs),
    firstByteS: request.firstByteMs === undefined ? null : seconds(request.firstByteMs),
    endS: seconds(request.endMs),
    mediaS: (request.mediaStartMs ?? 0) / 1000,
    mediaDurationS: (request.mediaDurationMs ?? 2000) / 1000,
    audio,
    rung,
    outcome: request.outcome,
    label: `${audio ? 'audio' : `video ${rate ?? ''}`} segment ${request.segmentIndex ?? '?'}: ${formatBytes(request.bytes)} in ${formatSeconds(ms, 2)}${speed}, ${request.outcome}`,
  };
}
