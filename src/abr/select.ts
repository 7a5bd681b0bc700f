import { clamp, formatBitRate, interpolate, type Corner, type Ladder, type Rung } from '../core';
import type { Forecast } from '../qoe';
import { defaultSelectConfig, type SelectConfig } from './config';
import { describeBuffer, describeForecast } from './describe';
import { downloadMs, neededBps, rungAt, segmentBytes, type SegmentBytes } from './segment';

/** What selection remembers between decisions. Plain data. */
export interface SelectState {
  /** Usable paths at the decision before. */
  usablePaths: readonly string[];
}

export interface SelectObservation {
  ladder: Ladder;
  /** Rung of the segment before; -1 when there was none. */
  currentRung: number;
  bufferMs: number;
  segmentDurationMs: number;
  /** Bytes of the next segment by rung index, where known. */
  nextSegmentBytes?: SegmentBytes | undefined;
  forecast: Forecast;
  /** Taken off the forecast: what the other media type needs at the same time. */
  reservedBps?: number | undefined;
}

export interface SelectDecision {
  /** Index in the ladder; -1 only for an empty ladder. */
  toRung: number;
}

export interface SelectResult {
  state: SelectState;
  decision: SelectDecision;
  /** One line a viewer understands. */
  reason: string;
}

export function createSelectState(): SelectState {
  return { usablePaths: [] };
}

/**
 * Rung for the next segment: the highest whose need fits into the share of the forecast that the buffer allows,
 * with hysteresis upwards, patience downwards while the buffer is long, and none when a path was lost.
 */
export function selectRung(
  state: SelectState,
  observation: SelectObservation,
  config: SelectConfig = defaultSelectConfig,
): SelectResult {
  const { ladder, forecast } = observation;
  const usablePaths = forecast.paths.filter((path) => path.usable).map((path) => path.pathId);
  const next: SelectState = { usablePaths };
  const lowest = ladder.rungs[0];
  if (!lowest) return { state: next, decision: { toRung: -1 }, reason: 'no rung to choose from' };
  const decide = (rung: Rung, note = ''): SelectResult => ({
    state: next,
    decision: { toRung: rung.index },
    reason: `${formatBitRate(rung.bitrateBps)}: ${describeForecast(forecast)}, ${describeBuffer(observation.bufferMs)}${note}`,
  });
  if (ladder.rungs.length === 1) return decide(lowest, ' (only rung)');

  const current =
    observation.currentRung >= 0 ? rungAt(ladder, observation.currentRung) : undefined;
  if (!(forecast.rateBps > 0)) {
    // Unknown is not zero: without any knowledge a playing stream stays where it is.
    const unknown = !(forecast.confidence > 0) && current !== undefined;
    return unknown ? decide(current) : decide(lowest);
  }
  if (!current) return decide(startRung(observation, lowest, config), ', start');

  const lostPath = state.usablePaths.some((id) => !usablePaths.includes(id));
  const fitting = highestFitting(observation, lowest, current, config);
  if (fitting.index < current.index && !lostPath && holds(observation, current, config)) {
    return decide(current, ', riding out a dip');
  }
  return decide(fitting, lostPath && fitting.index < current.index ? ', path lost' : '');
}

function byBuffer(corners: readonly Corner[], observation: SelectObservation): number {
  return interpolate(corners, clamp(observation.bufferMs, 0, Infinity));
}

/** Between the safe and the expected rate: what goes wrong is paid from the buffer. */
function plannedBps(observation: SelectObservation, config: SelectConfig): number {
  const safeBps = clamp(observation.forecast.safeRateBps, 0, Number.MAX_VALUE);
  const expectedBps = clamp(observation.forecast.rateBps, safeBps, Number.MAX_VALUE);
  const trust = byBuffer(config.trustByBuffer, observation);
  return safeBps + trust * (expectedBps - safeBps);
}

function room(rateBps: number, observation: SelectObservation): number {
  return Math.max(
    0,
    clamp(rateBps, 0, Infinity) - clamp(observation.reservedBps ?? 0, 0, Infinity),
  );
}

function need(rung: Rung, observation: SelectObservation): number {
  return neededBps(rung, observation.segmentDurationMs, observation.nextSegmentBytes);
}

function startRung(observation: SelectObservation, lowest: Rung, config: SelectConfig): Rung {
  const rungs = observation.ladder.rungs;
  const sure = observation.forecast.confidence >= config.startConfidence;
  const roomBps = room(observation.forecast.safeRateBps, observation) * config.startShare;
  const fitting = rungs.filter((rung) => sure && need(rung, observation) <= roomBps);
  return fitting.at(-1) ?? lowest;
}

function highestFitting(
  observation: SelectObservation,
  lowest: Rung,
  current: Rung,
  config: SelectConfig,
): Rung {
  const rungs = observation.ladder.rungs;
  const roomBps = room(plannedBps(observation, config), observation);
  const rateShare = byBuffer(config.rateShareByBuffer, observation);
  const upShare = byBuffer(config.upShareByBuffer, observation);
  const leaps = observation.forecast.confidence >= config.leapConfidence;
  const fits = (rung: Rung): boolean => {
    const up = rung.index > current.index;
    if (!leaps && rung.index > current.index + 1) return false;
    if (need(rung, observation) > roomBps * rateShare * (up ? upShare : 1)) return false;
    // A larger segment than the buffer can wait for is no bargain at any average rate.
    const bytes = segmentBytes(rung, observation.segmentDurationMs, observation.nextSegmentBytes);
    const spareMs = Math.max(
      clamp(observation.bufferMs, 0, Infinity) - config.reserveMs,
      observation.segmentDurationMs,
    );
    return downloadMs(bytes, roomBps) <= spareMs;
  };
  return rungs.filter(fits).at(-1) ?? lowest;
}

/** The expected rate nearly carries the current rung and the buffer can wait for it. */
function holds(observation: SelectObservation, current: Rung, config: SelectConfig): boolean {
  if (!(observation.bufferMs >= config.holdBufferMs)) return false;
  const roomBps = room(observation.forecast.rateBps, observation);
  const bytes = segmentBytes(current, observation.segmentDurationMs, observation.nextSegmentBytes);
  return (
    need(current, observation) <= roomBps * config.holdShare &&
    downloadMs(bytes, roomBps) <= observation.bufferMs - config.reserveMs
  );
}
