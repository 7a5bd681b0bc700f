import {
  clamp,
  formatBitRate,
  formatDuration,
  type Ladder,
  type Rung,
  type Forecast,
} from '../core';
import { defaultAbandonConfig, type AbandonConfig } from './config';
import { describeBuffer, describeForecast } from './describe';
import { downloadMs, rungAt, segmentBytes, type SegmentBytes } from './segment';
import { stallWeightOf } from './stall-price';

/** Memory of abandonment. Plain data. */
export interface AbandonState {
  /** Usable paths when the request was first judged. */
  usablePaths: readonly string[];
  requestId: number | undefined;
}

export interface AbandonObservation {
  requestId: number;
  ladder: Ladder;
  /** Rung of the request in flight. */
  rung: number;
  elapsedMs: number;
  bytesLoaded: number;
  /** Size from Content-Length or the index. Unknown: the rung's bit rate times the duration. */
  bytesTotal?: number | undefined;
  segmentDurationMs: number;
  /** Bytes of this segment by rung index, where known. */
  segmentBytes?: SegmentBytes | undefined;
  bufferMs: number;
  forecast: Forecast;
  /** Subtracted from the forecast: the simultaneous need of the other media type. */
  reservedBps?: number | undefined;
}

export interface AbandonDecision {
  abandon: boolean;
  /** Rung to fetch instead. The request's own rung if it continues. */
  toRung: number;
}

export interface AbandonResult {
  state: AbandonState;
  decision: AbandonDecision;
  /** One line that a viewer understands. */
  reason: string;
}

export function createAbandonState(): AbandonState {
  return { usablePaths: [], requestId: undefined };
}

/**
 * Decides whether to abandon a request in flight for a lower rung. This happens only if finishing would stall
 * and a restart is clearly sooner. Call it on progress and at once on path events.
 */
export function judgeRequest(
  state: AbandonState,
  observation: AbandonObservation,
  config: AbandonConfig = defaultAbandonConfig,
): AbandonResult {
  const { forecast, ladder } = observation;
  const usable = forecast.paths.filter((path) => path.usable).map((path) => path.pathId);
  const known = state.requestId === observation.requestId;
  const next: AbandonState = {
    requestId: observation.requestId,
    usablePaths: known ? state.usablePaths : usable,
  };
  const keep = (why: string): AbandonResult => ({
    state: next,
    decision: { abandon: false, toRung: observation.rung },
    reason: why,
  });
  const rung = rungAt(ladder, observation.rung);
  if (!rung || rung.index === 0) return keep('no lower rung');
  const lostPath = next.usablePaths.some((id) => !usable.includes(id));
  if (!(observation.elapsedMs >= config.minElapsedMs) && !lostPath) return keep('just started');
  if (!(forecast.confidence >= config.minConfidence) && !lostPath)
    return keep('not sure enough yet');

  const totalBytes =
    observation.bytesTotal !== undefined && observation.bytesTotal > 0
      ? observation.bytesTotal
      : segmentBytes(rung, observation.segmentDurationMs, observation.segmentBytes);
  const leftBytes = totalBytes - clamp(observation.bytesLoaded, 0, Infinity);
  if (!(leftBytes > totalBytes * config.minRemainingShare)) return keep('nearly done');

  const reservedBps = clamp(observation.reservedBps ?? 0, 0, Infinity);
  const rateBps = Math.max(0, clamp(forecast.rateBps, 0, Infinity) - reservedBps);
  const finishMs = downloadMs(leftBytes, rateBps);
  const spareMs = clamp(observation.bufferMs, 0, Infinity) - config.reserveMs;
  if (finishMs <= spareMs) return keep(`done in ${formatDuration(finishMs)}`);

  const restartMs = (lower: Rung): number =>
    config.restartCostMs +
    downloadMs(
      segmentBytes(lower, observation.segmentDurationMs, observation.segmentBytes),
      rateBps,
    );
  const topBps = ladder.rungs.at(-1)?.bitrateBps ?? 0;
  const stallBps = topBps * stallWeightOf(observation.segmentDurationMs);
  const lateMs = (ms: number): number => Math.max(0, ms - Math.max(0, spareMs));
  // The QoE that a lower rung saves: the shorter stall, minus the lower quality and the two steps.
  const gain = (lower: Rung): number =>
    (stallBps * (lateMs(finishMs) - lateMs(restartMs(lower)))) / 1000 -
    config.stepShare * (rung.bitrateBps - lower.bitrateBps);
  let target: Rung | undefined;
  for (const lower of ladder.rungs) {
    if (lower.index >= rung.index || !(gain(lower) > 0)) continue;
    if (target === undefined || gain(lower) > gain(target)) target = lower;
  }
  if (!target) return keep('no lower rung would save enough');
  const finish = Number.isFinite(finishMs) ? formatDuration(finishMs) : 'unknown time';
  return {
    state: next,
    decision: { abandon: true, toRung: target.index },
    reason:
      `gave up ${formatBitRate(rung.bitrateBps)} for ${formatBitRate(target.bitrateBps)}: ` +
      `${finish} to go, ${formatDuration(restartMs(target))} instead; ` +
      `${describeForecast(forecast)}, ${describeBuffer(observation.bufferMs)}` +
      (lostPath ? ', path lost' : ''),
  };
}
