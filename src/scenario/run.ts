/**
 * The contents of a run's folder: `run.json` (RunRecord), `scenario.yaml`, `trials/<n>-<player>/` with
 * `trial.json` (TrialRecord), `session.jsonl` (session log), `network.jsonl` (queue statistics) and
 * `traffic/`; then `results.json`, `results.csv`, `report.html`.
 */
import type { Name, Scenario } from './types';

/** One turn of one player. */
export interface TrialPlan {
  /** Position in the run, from 1. */
  number: number;
  player: string;
  /** Its repetition of this player's trial, from 1: those with one number share seed and traces. */
  trial: number;
  /** Seed of links and traffic; equal for all players of one trial, so that they can be compared in pairs. */
  seed: number;
  /** Relative to the run's folder. */
  folder: string;
}

export interface RunRecord {
  schemaVersion: 1;
  scenario: Scenario;
  startedAt: string;
  /** Kernel, processors, versions of browser, nginx and Node: the context of the figures. */
  machine: Readonly<Record<string, string | number>>;
  plan: readonly TrialPlan[];
}

/** Reports of the background programs after they were stopped. */
export interface TrafficResult {
  id: Name;
  kind: 'ftp' | 'voip' | 'web';
  program: string;
  outcome: 'ok' | 'failed';
  error?: string;
  /** Mean over its time; absent if the program does not report it. */
  goodputBps?: number;
  /** voip. */
  calls?: { started: number; completed: number; failed: number };
  /** voip: RTP packet loss, 0 to 1, and mean difference of transit times (RFC 3550, 6.4.1). */
  rtp?: { lossRatio: number; jitterMs: number };
  /** web. */
  requests?: { completed: number; failed: number; meanMs: number };
  /** Requested settings that were not available. */
  notes?: readonly string[];
  /** Raw output, below the trial's folder. */
  files: readonly string[];
}

/** Real sizes of the media played. */
export interface MediaSizes {
  segmentMs: number;
  /** Sizes by rung, then by segment. */
  video: readonly { bitrateBps: number; bytes: readonly number[] }[];
  audio: readonly { bitrateBps: number; bytes: readonly number[] }[];
}

export interface TrialRecord {
  schemaVersion: 1;
  scenario: string;
  player: string;
  trial: number;
  seed: number;
  startedAt: string;
  /** CLOCK_MONOTONIC at the start of links and events; timeline events and traces count from here. */
  startMonotonicMs: number;
  outcome: 'ok' | 'failed';
  error?: string;
  /** Below the trial's folder. */
  sessionFile: 'session.jsonl';
  networkFile: 'network.jsonl';
  media: MediaSizes;
  traffic: readonly TrafficResult[];
}
