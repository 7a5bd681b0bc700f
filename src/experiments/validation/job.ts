import type { ExperimentJob } from '../types';
import type { Calibration } from './calibration';
import type { NetworkPair, PairSet } from './pairs';

/** Every player over one pair of networks. */
export interface ValidationJob extends ExperimentJob {
  set: PairSet;
  pair: NetworkPair;
  durationMs: number;
  /** The film ends with the session; else it goes on, and the buffer at the end is worth nothing. */
  filmEnds: boolean;
}

export interface PlayerOutcome {
  player: string;
  /** Segments that it showed. */
  segments: number;
  /** Linear QoE minus the wait for the first frame at the price of a stall, per segment of the session's duration; Mbit/s. */
  qoePerSegment: number;
  startMs: number;
  stalledMs: number;
  /** Part of it in which a path carried the lowest rung. */
  avoidableMs: number;
  /** Calibration of the planner's forecasts; absent where the player makes none. */
  calibration?: Calibration;
}

export interface ValidationOutcome {
  /** QoE a segment of the fluid optimum of both paths; null where it could not have shown the film. */
  optimumQoe: number | null;
  /** The same over what one connection achieves that is always busy. */
  busyQoe: number | null;
  players: readonly PlayerOutcome[];
}
