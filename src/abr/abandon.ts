import { clamp, formatBitRate, formatDuration, type Ladder, type Rung } from '../core';
import type { Forecast } from '../qoe';
import { defaultAbandonConfig, type AbandonConfig } from './config';
import { describeBuffer, describeForecast } from './describe';
import { downloadMs, rungAt, segmentBytes, type SegmentBytes } from './segment';

/** What abandonment remembers. Plain data. */
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
  /** From Content-Length or the index; unknown: the rung's bit rate times the duration. */
  bytesTotal?: number | undefined;
  segmentDurationMs: number;
  /** Bytes of this segment by rung index, where known. */
  segmentBytes?: SegmentBytes | undefined;
  bufferMs: number;
  forecast: Forecast;
  /** Taken off the forecast: what the other media type needs at the same time. */
  reservedBps?: number | undefined;
}

export interface AbandonDecision {
  abandon: boolean;
  /** Rung to fetch instead; the request's own when it goes on. */
  toRung: number;
}

export interface AbandonResult {
  state: AbandonState;
  decision: AbandonDecision;
  /** One line a viewer understands. */
  reason: string;
}

export function createAbandonState(): AbandonState {
  return { usablePaths: [], requestId: undefined };
}

/**
 * Whether to give up a request in flight for a lower rung: only when finishing would stall and starting
 * over is done clearly sooner. Call it on progress and at once on path events.
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
  const sooner = ladder.rungs.filter(
    (lower) => lower.index < rung.index && restartMs(lower) < finishMs * config.gainShare,
  );
  // The best picture that still arrives in time, else the one that arrives first.
  const target = sooner.filter((lower) => restartMs(lower) <= spareMs).at(-1) ?? sooner[0];
  if (!target) return keep('starting over would take longer');
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
