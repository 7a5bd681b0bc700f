import type { TrafficResult, TrafficSpec } from '../../scenario';
import type { LabNetwork } from '../network-types';

/** The network, as traffic needs it. */
export type TrafficNetwork = Pick<LabNetwork, 'netnsOf' | 'addressesOf' | 'congestionControlOf'>;

export interface TrafficOptions {
  /** Cancels the start and ends running programs. */
  signal?: AbortSignal;
  /** Called once if a program ends in mid-run; the result records it too. */
  onFailure?: (message: string) => void;
}

/** Running background programs. */
export interface RunningTraffic {
  /**
   * Ends the programs in order, the sender first, and reads their reports. Never rejects: a program that died
   * in mid-run or left no readable report has the outcome `failed`. A second call returns the same result.
   */
  stop(): Promise<TrafficResult>;
}

/**
 * Starts one kind of traffic now, once the two nodes reach each other; the caller handles `startMs` and
 * `durationMs`. Raw output goes to `traffic/` below `trialDir`.
 * @throws LabError TOOL_MISSING with the apt command, TRAFFIC_FAILED, BAD_OPTION
 */
export type StartTraffic = (
  spec: TrafficSpec,
  network: TrafficNetwork,
  trialDir: string,
  options?: TrafficOptions,
) => Promise<RunningTraffic>;

/**
 * Runs a list of traffic by its `startMs` and `durationMs`, counted from the call. Never rejects: a failed
 * start becomes a failed result, in the order of the list.
 */
export type ScheduleTraffic = (
  specs: readonly TrafficSpec[],
  network: TrafficNetwork,
  trialDir: string,
  options?: TrafficOptions,
) => { stop(): Promise<TrafficResult[]> };
