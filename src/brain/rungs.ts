import {
  describeBuffer,
  describeForecast,
  planRungs,
  segmentBytes,
  selectAudio,
  type PlanRate,
} from '../abr';
import { formatBitRate, type Ladder, type MediaType } from '../core';
import type { Forecast } from '../qoe';
import { reservedBps } from './reserve';
import type { BrainObservation } from './types';

export const rungConfig = {
  /** Below this confidence the first segment is the lowest rung. Example: 0.1. */
  startConfidence: 0.1,
  /** Share of the rates planned with for the first segment. Example: 0.8: the first answers say little. */
  startShare: 0.8,
  /** Below this confidence a step up is one rung at a time. Example: 0.2, 0.3 s of measured time. */
  leapConfidence: 0.2,
  /** Futures planned for: the forecast, its conservative value, and a bad day, with their probabilities. */
  weights: [0.5, 0.35, 0.15],
  /** A bad day, as share of the conservative value. Example: 0.75. */
  badShare: 0.75,
  /** The loss of the best path is provided for where the others carry this share of all. Example: 0.25. */
  survivorShare: 0.25,
  /** A rung that is on may take so many times the buffer to load over them; a higher one just the buffer. Example: 2. */
  stayFactor: 2,
  /** Forecast errors remembered. Yin et al., section 5: 5. */
  errors: 5,
  /** Largest error taken for true. Example: 0.3: what else went wrong is for the conservative rates to know. */
  maxError: 0.3,
} as const;

export interface RungChoice {
  rung: number;
  reason: string;
}

/** How far the forecast was above what came, relative to what came; newest last. */
export type ForecastErrors = readonly number[];

/** Remembers how a forecast turned out. Only too high ones hurt. */
export function addError(errors: ForecastErrors, forecastBps: number, actualBps: number): number[] {
  if (!(forecastBps > 0) || !(actualBps > 0)) return [...errors];
  const error = Math.min(rungConfig.maxError, Math.max(0, forecastBps / actualBps - 1));
  return [...errors, error].slice(-rungConfig.errors);
}

/** Rung for the next segment of a type; undefined where the stream has none of it. */
export function chooseRung(
  observation: BrainObservation,
  mediaType: MediaType,
  forecast: Forecast,
  errors: ForecastErrors,
): RungChoice | undefined {
  const ladder = observation.ladders.find((one) => one.mediaType === mediaType);
  if (!ladder || ladder.rungs.length === 0) return undefined;
  const current = observation.currentRung[mediaType] ?? -1;
  const bufferMs = observation.bufferMs[mediaType] ?? 0;
  const describe = (rung: number, note = ''): RungChoice => ({
    rung,
    reason: `${formatBitRate(ladder.rungs[rung]?.bitrateBps ?? 0)}: ${describeForecast(forecast)}, ${describeBuffer(bufferMs)}${note}`,
  });
  if (ladder.rungs.length === 1) return describe(0, ' (only rung)');
  if (!(forecast.rateBps > 0)) {
    // Unknown is not zero: without any knowledge a playing stream stays where it is.
    return describe(!(forecast.confidence > 0) && current >= 0 ? current : 0);
  }
  if (mediaType === 'audio') return describe(selectAudio(ladder, current, bufferMs, forecast));
  if (current < 0 && forecast.confidence < rungConfig.startConfidence)
    return describe(0, ', start');
  const rung = planVideo(observation, ladder, current, bufferMs, forecast, errors);
  return describe(rung, current < 0 ? ', start' : '');
}

function planVideo(
  observation: BrainObservation,
  ladder: Ladder,
  current: number,
  bufferMs: number,
  forecast: Forecast,
  errors: ForecastErrors,
): number {
  const toldMs = observation.segmentDurationMs.video ?? 0;
  const segmentMs = toldMs > 0 ? toldMs : 2000;
  const sizes = observation.nextSegments?.video ?? [];
  const leaps = forecast.confidence >= rungConfig.leapConfidence;
  const sizeOf = (ahead: number, rung: number): number => {
    const known = ladder.rungs[rung];
    return known ? segmentBytes(known, segmentMs, sizes[ahead]) : 0;
  };
  const caps = [
    current >= 0 && !leaps ? current + 1 : undefined,
    survivable(observation, forecast, ladder, current, bufferMs, (rung) => sizeOf(0, rung)),
  ].flatMap((cap) => cap ?? []);
  const plan = planRungs({
    bitratesBps: ladder.rungs.map(({ bitrateBps }) => bitrateBps),
    currentRung: current,
    bufferMs,
    bufferTargetMs: observation.bufferTargetMs,
    segmentMs,
    playing: observation.playing || current >= 0,
    rates: futures(forecast, reservedBps(observation, 'video'), errors, current < 0),
    sizeOf,
    highest: caps.length > 0 ? Math.min(...caps) : undefined,
    availableMs: observation.live?.availableMs,
  });
  return plan?.rung ?? 0;
}

/**
 * The highest rung whose segment the other paths could bring before the buffer is dry, should the best one go: what is
 * under way cannot be given up then (its connection may have begun there). Undefined where there are no such others.
 */
function survivable(
  observation: BrainObservation,
  forecast: Forecast,
  ladder: Ladder,
  current: number,
  bufferMs: number,
  sizeOf: (rung: number) => number,
): number | undefined {
  // With an empty buffer there is nothing to protect: a start, a seek, a stall.
  if (!(bufferMs > 0) || current < 0) return undefined;
  const rates = forecast.paths.filter(({ usable }) => usable).map(({ rateBps }) => rateBps);
  const allBps = rates.reduce((sum, rateBps) => sum + rateBps, 0);
  const othersBps = allBps - Math.max(0, ...rates);
  const roomBps = othersBps - reservedBps(observation, 'video');
  if (othersBps < rungConfig.survivorShare * allBps) return undefined;
  if (roomBps < (ladder.rungs[0]?.bitrateBps ?? 0)) return undefined;
  let highest = 0;
  for (const rung of ladder.rungs.keys()) {
    const longestMs = bufferMs * (rung <= current ? rungConfig.stayFactor : 1);
    if ((sizeOf(rung) * 8000) / roomBps <= longestMs) highest = rung;
  }
  return highest;
}

/** What the network may turn out to carry. */
function futures(
  forecast: Forecast,
  reserved: number,
  errors: ForecastErrors,
  first: boolean,
): PlanRate[] {
  const share = first ? rungConfig.startShare : 1;
  const room = (rateBps: number): number => Math.max(1, rateBps * share - reserved);
  const robustBps = forecast.rateBps / (1 + Math.max(0, ...errors));
  const safeBps = Math.min(forecast.safeRateBps, robustBps);
  const [expected, safe, bad] = rungConfig.weights;
  return [
    { rateBps: room(first ? safeBps : forecast.rateBps), weight: expected },
    { rateBps: room(safeBps), weight: safe },
    { rateBps: room(safeBps * rungConfig.badShare), weight: bad },
  ];
}
