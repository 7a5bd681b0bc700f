import {
  formatBitRate,
  formatDuration,
  type Forecast,
  type Ladder,
  type MediaType,
  type Rung,
} from '../core';
import { describeBuffer, describeForecast } from './describe';
import type { AbrObservation, PerMedia, RequestInFlight } from './observation';
import { reservedBps } from './reserve';
import { segmentBytes } from './segment';
import { stallWeightOf } from './stall-price';

/** Chosen; no measurement of each alone. */
const abandonConfig = {
  /** Younger requests continue unless a path was lost. */
  minElapsedMs: 500,
  /** Forecasts below this confidence only bound the rate from below: half a second of measured time. */
  minConfidence: 0.3,
  /** Least share of the segment left for which it is abandoned. */
  minRemainingShare: 0.15,
  /** Minimum buffer when the segment is complete. */
  reserveMs: 500,
  /** Cost of a restart: cancel, a new request, perhaps a new connection. */
  restartCostMs: 300,
  /** QoE lost with a lower rung, in differences of the bit rates: the segment itself, the step down and the step up. */
  stepShare: 3,
} as const;

/** The last judged request of each media type, and the paths that were usable when it was first judged. Plain data. */
export type AbandonState = PerMedia<{ requestId: number; usablePaths: readonly string[] }>;

export interface AbandonChoice {
  requestId: number;
  mediaType: MediaType;
  /** Rung to fetch instead. */
  toRung: number;
  /** One line that a viewer understands. */
  reason: string;
}

/**
 * Judges every media request in flight by the forecast. Returns the first one to abandon for a lower rung. Call it on
 * progress and at once on path events.
 * @param leastMs a request is abandoned only if its stall would be longer
 */
export function judgeRequests(
  judgedBefore: AbandonState,
  observation: AbrObservation,
  forecast: Forecast,
  leastMs = 0,
): { state: AbandonState; abandon: AbandonChoice | undefined } {
  const usable = forecast.paths.filter((path) => path.usable).map(({ pathId }) => pathId);
  let state = judgedBefore;
  let abandon: AbandonChoice | undefined;
  for (const request of observation.requests) {
    const { mediaType, durationMs, requestId } = request;
    const ladder = observation.ladders.find((one) => one.mediaType === mediaType);
    if (!mediaType || !durationMs || !ladder || request.rung < 0) continue;
    const before = state[mediaType];
    const usablePaths = before?.requestId === requestId ? before.usablePaths : usable;
    state = { ...state, [mediaType]: { requestId, usablePaths } };
    const isPathLost = usablePaths.some((id) => !usable.includes(id));
    const lower = lowerRung(
      { ...request, mediaType, durationMs },
      { observation, ladder, forecast, isPathLost, leastMs },
    );
    if (lower) abandon ??= { requestId, mediaType, ...lower };
  }
  return { state, abandon };
}

/** The rung to restart with, if the request would stall and a restart is clearly sooner. */
function lowerRung(
  request: RequestInFlight & { mediaType: MediaType; durationMs: number },
  facts: {
    observation: AbrObservation;
    ladder: Ladder;
    forecast: Forecast;
    isPathLost: boolean;
    leastMs: number;
  },
): { toRung: number; reason: string } | undefined {
  const { observation, ladder, forecast, isPathLost, leastMs } = facts;
  const { mediaType, durationMs, bytesTotal = 0 } = request;
  const rung = ladder.rungs[request.rung];
  if (!rung) return undefined;
  // A comparison with NaN is false: a time or a confidence that is no number counts as too little.
  const isYoung = !(observation.monotonicMs - request.startMs >= abandonConfig.minElapsedMs);
  const isUnsure = !(forecast.confidence >= abandonConfig.minConfidence);
  if ((isYoung || isUnsure) && !isPathLost) return undefined;

  const totalBytes = bytesTotal > 0 ? bytesTotal : segmentBytes(rung, durationMs, undefined);
  const leftBytes = totalBytes - request.bytesLoaded;
  if (!(leftBytes > totalBytes * abandonConfig.minRemainingShare)) return undefined;

  const bufferMs = observation.bufferMs[mediaType] ?? 0;
  const rateBps = Math.max(0, forecast.rateBps - reservedBps(observation, mediaType));
  const spareMs = bufferMs - abandonConfig.reserveMs;
  const finishMs = downloadMs(leftBytes, rateBps);
  if (finishMs <= spareMs + leastMs) return undefined;

  const restartMs = (lower: Rung): number =>
    abandonConfig.restartCostMs + downloadMs(segmentBytes(lower, durationMs, undefined), rateBps);
  const stallBps = (ladder.rungs.at(-1)?.bitrateBps ?? 0) * stallWeightOf(durationMs);
  const lateMs = (ms: number): number => Math.max(0, ms - Math.max(0, spareMs));
  // The QoE that a lower rung saves: the shorter stall, minus the lower quality and the two steps.
  const gain = (lower: Rung): number =>
    (stallBps * (lateMs(finishMs) - lateMs(restartMs(lower)))) / 1000 -
    abandonConfig.stepShare * (rung.bitrateBps - lower.bitrateBps);
  let target: Rung | undefined;
  for (const lower of ladder.rungs.slice(0, rung.index)) {
    if (gain(lower) > 0 && (target === undefined || gain(lower) > gain(target))) target = lower;
  }
  if (!target) return undefined;
  const finish = Number.isFinite(finishMs) ? formatDuration(finishMs) : 'unknown time';
  return {
    toRung: target.index,
    reason:
      `gave up ${formatBitRate(rung.bitrateBps)} for ${formatBitRate(target.bitrateBps)}: ` +
      `${finish} to go, ${formatDuration(restartMs(target))} instead; ` +
      `${describeForecast(forecast)}, ${describeBuffer(bufferMs)}` +
      (isPathLost ? ', path lost' : ''),
  };
}

/** Infinity at rate 0. */
const downloadMs = (bytes: number, rateBps: number): number =>
  rateBps > 0 ? (bytes * 8000) / rateBps : Infinity;
