import type { Scenario } from '../../scenario';
import type { ExperimentJob } from '../types';
import type { System, Variant } from './variants';

/** Two paths: their mean rate, and the slow one's rate over the fast one's. */
export interface PathPair {
  averageKbps: number;
  ratio: number;
}

/** Properties by which sessions are compared, simulated or in the lab. */
export interface SessionSetting extends PathPair {
  variant: System;
  /** n and rho of the sender's path use decision. */
  samples: number;
  rho: number;
  seed: number;
}

/** A film watched over two paths. */
export interface SessionJob extends ExperimentJob, SessionSetting {
  kind: 'session';
  variant: Variant;
  filmMs: number;
}

/** The same in the lab: a session of one of the scenario's players. */
export interface MptcpPlusKernelJob extends ExperimentJob, SessionSetting {
  kind: 'session';
  scenario: Scenario;
  /** One of the scenario's players. */
  player: string;
  /** Number of the trial, from 1. */
  trial: number;
}

/** Samples of both paths' sending rate while plain MPTCP plays a film. */
export interface SamplesJob extends ExperimentJob, PathPair {
  kind: 'samples';
  seed: number;
  filmMs: number;
  /** Queue of each link, where it is not the set-up's. */
  queueBytes?: number;
}

/** Windows, rates and bitrates over time while a film plays. */
export interface WindowsJob extends ExperimentJob, PathPair {
  kind: 'windows';
  variant: Variant;
  seed: number;
  filmMs: number;
}

export type MptcpPlusJob = SessionJob | SamplesJob | WindowsJob;

export interface SessionOutcome {
  kind: 'session';
  bitrateBps: number;
  switches: number;
  outageMs: number;
  /** Linear QoE (Yin et al.) per segment; null without segments. */
  qoe: number | null;
  /** Share of the bytes received over the slow path, 0 to 1. */
  slowShare: number;
  /** Percentiles 0, 5, ... 100 over the segments. */
  delaysMs: number[];
  speedsBps: number[];
}

export interface SamplesOutcome {
  kind: 'samples';
  /** Sending rates in the order of the samples. */
  fastBps: number[];
  slowBps: number[];
}

/** Each second of the beginning, by path: the fast one, the slow one. */
type ByPath = [fast: number[], slow: number[]];

export interface WindowsOutcome {
  kind: 'windows';
  /** Segments. */
  windows: ByPath;
  /** Window over round trip. */
  ratesKbps: ByPath;
  /** Bitrate of each segment. */
  bitratesKbps: number[];
  /** Standard deviation over mean, of the whole film: of the sum of the windows, and of the fast path's. */
  totalVariation: number;
  fastVariation: number;
  bitrateBps: number;
  switches: number;
  /** Share of MCC's acknowledgements and reductions with theta below 1; null with another control. */
  smoothedAcks: number | null;
  smoothedReductions: number | null;
}

export type MptcpPlusOutcome = SessionOutcome | SamplesOutcome | WindowsOutcome;

/** Rates of the two paths in bits per second. */
export function pathRates({ averageKbps, ratio }: PathPair): { fastBps: number; slowBps: number } {
  const fastBps = Math.round((2 * averageKbps * 1000) / (1 + ratio));
  return { fastBps, slowBps: 2 * averageKbps * 1000 - fastBps };
}
