import {
  formatBitRate,
  formatDuration,
  type Forecast,
  type Ladder,
  type MediaType,
  type Rung,
} from '../core';
import type { Uncertainty } from './abr-rule';
import { describeBuffer, describeForecast } from './describe';
import type { AbrObservation, RequestInFlight } from './observation';
import { planRestart } from './plan';
import { planInput } from './plan-input';
import { reservedBps } from './reserve';
import { segmentBytes } from './segment';

/** Chosen; no measurement of each alone. */
const abandonConfig = {
  /** Forecasts below this confidence only bound the rate from below: half a second of measured time. */
  minConfidence: 0.3,
  /** Minimum buffer when the segment is complete. */
  reserveMs: 500,
  /** Cost of a restart: cancel, a new request, perhaps a new connection. */
  restartCostMs: 300,
} as const;

/**
 * A request continues while the lowest rung instead of it would leave this much buffer: a network that failed may come
 * back. Simulated training pairs: `ablations.md`.
 */
const WAIT_MS = 1000;

export interface AbandonChoice {
  requestId: number;
  mediaType: MediaType;
  /** Rung to fetch instead. */
  toRung: number;
  /** One line that a viewer understands. */
  reason: string;
}

/**
 * Judges every media request in flight by the plan. Returns the first one to abandon for a lower rung. Call it on
 * progress and at once on path events.
 * @param believe called only for a request that would stall
 * @param leastMs a request is abandoned only if its stall would be longer
 * @param waitMs a request continues while the lowest rung instead of it would leave this much buffer
 */
export function judgeRequests(
  observation: AbrObservation,
  forecast: Forecast,
  believe: () => Uncertainty,
  leastMs = 0,
  waitMs = WAIT_MS,
): AbandonChoice | undefined {
  // A comparison with NaN is false: a confidence that is no number counts as too little.
  if (!(forecast.confidence >= abandonConfig.minConfidence)) return undefined;
  for (const request of observation.requests) {
    const { mediaType, durationMs, requestId } = request;
    const ladder = observation.ladders.find((one) => one.mediaType === mediaType);
    if (!mediaType || !durationMs || !ladder || request.rung < 0) continue;
    const lower = lowerRung(
      { ...request, mediaType, durationMs },
      { observation, ladder, forecast, believe, leastMs, waitMs },
    );
    if (lower) return { requestId, mediaType, ...lower };
  }
  return undefined;
}

/** The rung to restart with, if the request would stall and the plan has more from a restart. */
function lowerRung(
  request: RequestInFlight & { mediaType: MediaType; durationMs: number },
  facts: {
    observation: AbrObservation;
    ladder: Ladder;
    forecast: Forecast;
    believe: () => Uncertainty;
    leastMs: number;
    waitMs: number;
  },
): { toRung: number; reason: string } | undefined {
  const { observation, ladder, forecast, believe, leastMs, waitMs } = facts;
  const { mediaType, durationMs, bytesTotal = 0 } = request;
  const rung = ladder.rungs[request.rung];
  if (!rung) return undefined;
  const totalBytes = bytesTotal > 0 ? bytesTotal : segmentBytes(rung, durationMs, undefined);
  const leftBytes = totalBytes - request.bytesLoaded;
  const bufferMs = observation.bufferMs[mediaType] ?? 0;
  const rateBps = forecast.rateBps - reservedBps(observation, mediaType);
  // At rate 0 the end of the request is unknown.
  if (!(rateBps > 0)) return undefined;
  const spareMs = bufferMs - abandonConfig.reserveMs;
  const loadMs = (bytes: number): number => (bytes * 8000) / rateBps;
  const finishMs = loadMs(leftBytes);
  if (!(finishMs > spareMs + leastMs)) return undefined;

  const restartMs = (lower: Rung): number =>
    abandonConfig.restartCostMs + loadMs(segmentBytes(lower, durationMs, undefined));
  const [lowest] = ladder.rungs;
  if (!lowest || restartMs(lowest) < bufferMs - waitMs) return undefined;
  const input = planInput(observation, {
    ...{ mediaType, ladder, forecast, belief: believe() },
    inFlight: request.rung,
  });
  const target = ladder.rungs[planRestart(input, leftBytes, abandonConfig.restartCostMs) ?? -1];
  if (!target) return undefined;
  return {
    toRung: target.index,
    reason:
      `gave up ${formatBitRate(rung.bitrateBps)} for ${formatBitRate(target.bitrateBps)}: ` +
      `${formatDuration(finishMs)} to go, ${formatDuration(restartMs(target))} instead; ` +
      `${describeForecast(forecast)}, ${describeBuffer(bufferMs)}`,
  };
}
