/** One direction of a link, for scenarios, the lab's emulator and the simulator. */
export const QUEUE_DISCIPLINES = ['droptail', 'pie', 'fq_pie', 'codel', 'fq_codel'] as const;
export type QueueDiscipline = (typeof QUEUE_DISCIPLINES)[number];

/** The queue of the link; absent fields have the discipline's defaults. */
export interface QueueSpec {
  discipline: QueueDiscipline;
  /** Limit in packets; applies beside the limit in bytes. */
  limitPackets?: number;
  /** Target delay of an AQM; PIE 15 ms, CoDel 5 ms. */
  targetMs?: number;
  /** CoDel: interval, 100 ms. */
  intervalMs?: number;
  /** PIE: T_UPDATE, 15 ms. */
  updateMs?: number;
  /** PIE: duration of the burst allowed after idle time, 150 ms. */
  burstMs?: number;
  /** Mark packets of ECN senders instead of dropping them. Default false. */
  ecn?: boolean;
  /** PIE: above this drop probability ECN packets are dropped too; 0.1. */
  ecnThreshold?: number;
  /** FQ: number of flow queues; 1024. */
  flows?: number;
  /** FQ: bytes a flow may send per round; 1514. */
  quantumBytes?: number;
}

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
  /** One way; absent: the link's own delay stays. */
  delayMs?: number;
}
