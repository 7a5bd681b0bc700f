import { clamp, emptyEwma, ewmaMean, halving, updateEwma, type Ewma } from '../core';
import { ERROR_HALF_LIFE_CHECKS, estimatorConfig } from './config';

/** A rate and what is known of it: that of a path, or that of finished requests. Plain data. */
export interface MeasuredRate {
  fast: Ewma;
  slow: Ewma;
  /** Measured time and bytes. */
  countedMs: number;
  measuredBytes: number;
  measuredAtMs: number | undefined;
  /** Relative overestimates of the predictions. */
  overEstimate: Ewma;
}

export const unmeasured: MeasuredRate = {
  fast: emptyEwma,
  slow: emptyEwma,
  countedMs: 0,
  measuredBytes: 0,
  measuredAtMs: undefined,
  overEstimate: emptyEwma,
};

/** 0 to 1: the weight of this measured time and these bytes, the larger of both. */
export function learnedConfidence(ms: number, bytes: number): number {
  const { fastHalfLifeMs, confidenceHalfBytes } = estimatorConfig;
  return 1 - halving(Math.max(ms / fastHalfLifeMs, bytes / confidenceHalfBytes));
}

/** 0 to 1: the amount and the age of the measurements. */
export function rateConfidence(rate: MeasuredRate, nowMs: number): number {
  if (rate.measuredAtMs === undefined) return 0;
  const ageMs = Math.max(0, nowMs - rate.measuredAtMs);
  const learned = learnedConfidence(rate.countedMs, rate.measuredBytes);
  return clamp(learned * halving(ageMs / estimatorConfig.confidenceHalfLifeMs), 0, 1);
}

/** The lower mean minus the learned error, never above the expected rate. */
export function marginBps({ fast, slow, overEstimate }: MeasuredRate, expectedBps: number): number {
  const lowerBps = Math.min(ewmaMean(fast) ?? expectedBps, ewmaMean(slow) ?? expectedBps);
  const learned = (ewmaMean(overEstimate) ?? 0) * overEstimate.weight;
  const { minMargin, maxMargin } = estimatorConfig;
  const margin = clamp(minMargin + learned, minMargin, maxMargin);
  return Math.max(0, Math.min(lowerBps * (1 - margin), expectedBps));
}

/** The overestimates with one more prediction. Without a predicted rate nothing changes. */
export function addPrediction(
  overEstimate: Ewma,
  predictedBps: number | undefined,
  actualBps: number,
): Ewma {
  if (predictedBps === undefined || predictedBps <= 0) return overEstimate;
  const tooHigh = clamp((predictedBps - actualBps) / predictedBps, 0, 1);
  return updateEwma(overEstimate, tooHigh, 1, ERROR_HALF_LIFE_CHECKS);
}
