/**
 * What a run leaves in its folder:
 * `run.json` (RunRecord), `scenario.yaml` as it was read, `trials/<n>-<player>/` with `trial.json` (TrialRecord),
 * `session.jsonl` (session log), `network.jsonl` (queue statistics), `traffic/`; then `results.json`, `results.csv`,
 * `report.html`.
 */
import type { Name, Scenario } from './types';

/** One turn of one player. */
export interface TrialPlan {
  /** Position in the run, from 1. */
  number: number;
  player: string;
  /** From 1. */
  trial: number;
  /** Of links and traffic; the same for all players of one trial, so that they can be compared in pairs. */
  seed: number;
  /** Below the run's folder. */
  folder: string;
}

export interface RunRecord {
  schemaVersion: 1;
  scenario: Scenario;
  startedAt: string;
  /** Kernel, processors, versions of browser, nginx and Node: whatever a reader needs to judge the figures. */
  machine: Readonly<Record<string, string | number>>;
  plan: readonly TrialPlan[];
}

/** What the background programs told, after they were stopped. */
export interface TrafficResult {
  id: Name;
  kind: 'ftp' | 'voip' | 'web';
  program: string;
  outcome: 'ok' | 'failed';
  error?: string;
  /** Mean over its time; absent where the program does not tell. */
  goodputBps?: number;
  /** voip. */
  calls?: { started: number; completed: number; failed: number };
  /** voip: of RTP packets, 0 to 1, and mean difference of transit times (RFC 3550, 6.4.1). */
  rtp?: { lossRatio: number; jitterMs: number };
  /** web. */
  requests?: { completed: number; failed: number; meanMs: number };
  /** What could not be had as wanted. */
  notes?: readonly string[];
  /** Raw output, below the trial's folder. */
  files: readonly string[];
}

/** Real sizes of the media played. */
export interface MediaSizes {
  segmentMs: number;
  /** By rung, then by segment. */
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
  /** CLOCK_MONOTONIC when links and the events' clock began; timeline events and traces count from here. */
  startMonotonicMs: number;
  outcome: 'ok' | 'failed';
  error?: string;
  /** Below the trial's folder. */
  sessionFile: 'session.jsonl';
  networkFile: 'network.jsonl';
  media: MediaSizes;
  traffic: readonly TrafficResult[];
}
