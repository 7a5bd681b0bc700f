import { clamp, emptyEwma, ewmaMean, halving, type Ewma } from '../core';
import { estimatorConfig } from './config';

/** A rate and what is known of it: that of a path, or that of finished requests. Plain data. */
export interface MeasuredRate {
  fast: Ewma;
  slow: Ewma;
  /** Measured time and bytes. */
  countedMs: number;
  measuredBytes: number;
  measuredAtMs: number | undefined;
}

export const unmeasured: MeasuredRate = {
  fast: emptyEwma,
  slow: emptyEwma,
  countedMs: 0,
  measuredBytes: 0,
  measuredAtMs: undefined,
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

/** The lower mean minus a margin, never above the expected rate. */
export function marginBps({ fast, slow }: MeasuredRate, expectedBps: number): number {
  const lowerBps = Math.min(ewmaMean(fast) ?? expectedBps, ewmaMean(slow) ?? expectedBps);
  return Math.max(0, Math.min(lowerBps * (1 - estimatorConfig.margin), expectedBps));
}
