/** One direction of a link, for scenarios, the lab's emulator and the simulator. */
import type { QueueSpec } from './queue-disciplines';

/** Varies the delay per packet; in order unless `mayReorder`. */
export interface JitterSpec {
  shape: 'uniform' | 'normal';
  /** Uniform: the maximum deviation. Normal: the standard deviation. */
  spreadMs: number;
  mayReorder?: boolean;
}

/** Losses in bursts, after Gilbert and Elliott: two states that change with a probability per packet. */
export interface BurstLossSpec {
  goodToBad: number;
  badToGood: number;
  /** Loss probability in the bad state. Default 1. */
  lossBad?: number;
  /** Loss probability in the good state. Default 0. */
  lossGood?: number;
}

/**
 * Intervals in which a direction is a blackhole, from the start of the run or from the event that sets them.
 */
export interface OutageSpec {
  /** Outages in order of time, without overlap. */
  outages: readonly { atMs: number; durationMs: number }[];
  /** The list repeats with this period, which covers its last outage. */
  periodMs?: number;
}

/** Effects of a middlebox on MPTCP; absent fields have no effect. */
export interface MiddleboxSpec {
  /** Strips MP_CAPABLE from SYNs: connections fall back to TCP. */
  stripMpCapable?: boolean;
  /** Strips MP_JOIN from SYNs: no further subflow over this link. */
  stripMpJoin?: boolean;
  /** Strips ADD_ADDR: further addresses stay unknown. */
  dropAddAddr?: boolean;
  /** Source NAT: packets a -> b get this source address, replies get the original one. */
  nat?: { address: string };
  /** Resets both ends of a TCP connection after this many bytes on this link. */
  resetAfterBytes?: number;
}

/** One direction of a link. Unlimited without rate and trace. */
export interface DirectionSpec {
  rateBps?: number;
  /** Replaces a constant rate. */
  trace?: TraceSpec;
  /** One way. */
  delayMs: number;
  /** 0 to 1, independent per packet. */
  lossRatio?: number;
  burstLoss?: BurstLossSpec;
  jitter?: JitterSpec;
  outages?: OutageSpec;
  queue: QueueSpec;
  /** Limit of the queue in bytes, beside `queue.limitPackets`. */
  queueBytes?: number;
}

/** A capacity over time. */
export interface TraceSpec {
  /** Source of the trace, as written in the scenario. */
  file: string;
  steps: readonly TraceStep[];
  /** Stay at the last step instead of repeating. */
  once?: boolean;
}

/** A rate for some time; 0 is an outage in which packets wait. */
export interface TraceStep {
  durationMs: number;
  rateBps: number;
  /** One way; absent: the delay before this step stays. */
  delayMs?: number;
}
