import type { TrafficResult, TrafficSpec } from '../../scenario';
import type { LabNetwork } from '../network-types';

/** What traffic needs to know of a network. */
export type TrafficNetwork = Pick<LabNetwork, 'netnsOf' | 'addressesOf' | 'congestionControlOf'>;

export interface TrafficOptions {
  /** Calls off the start; programs that already run are ended. */
  signal?: AbortSignal;
  /** Told once, when a program ends in mid-run; the result says so too. */
  onFailure?: (message: string) => void;
}

/** Background programs that run. */
export interface RunningTraffic {
  /**
   * Ends the programs in order, the sender first, and reads what they told. Never rejects: a program that died in
   * mid-run or told nothing readable is a result whose outcome is `failed`. Calling it again gives the same result.
   */
  stop(): Promise<TrafficResult>;
}

/**
 * Starts one kind of traffic now, once the two nodes reach each other; `startMs` and `durationMs` are left to the
 * caller. Raw output goes to `traffic/` below `trialDir`.
 * @throws LabError TOOL_MISSING with the apt command, TRAFFIC_FAILED, BAD_OPTION
 */
export type StartTraffic = (
  spec: TrafficSpec,
  network: TrafficNetwork,
  trialDir: string,
  options?: TrafficOptions,
) => Promise<RunningTraffic>;

/**
 * Runs a list of traffic by its `startMs` and `durationMs`, counted from the call. Never rejects: what cannot start
 * becomes a failed result, in the order of the list.
 */
export type ScheduleTraffic = (
  specs: readonly TrafficSpec[],
  network: TrafficNetwork,
  trialDir: string,
  options?: TrafficOptions,
) => { stop(): Promise<TrafficResult[]> };
