/** One direction of a link, as scenarios, the lab's emulator and the simulator understand it. */
export const QUEUE_DISCIPLINES = ['droptail', 'pie', 'fq_pie', 'codel', 'fq_codel'] as const;
export type QueueDiscipline = (typeof QUEUE_DISCIPLINES)[number];

/** What packets wait in while the link is busy; what is left out has the discipline's default. */
export interface QueueSpec {
  discipline: QueueDiscipline;
  /** In packets; beside the limit in bytes, where that is given too. */
  limitPackets?: number;
  /** The delay an AQM settles at; PIE 15 ms, CoDel 5 ms. */
  targetMs?: number;
  /** CoDel: how long a delay has to stand; 100 ms. */
  intervalMs?: number;
  /** PIE: T_UPDATE, 15 ms. */
  updateMs?: number;
  /** PIE: how long a burst after idling is let through, 150 ms. */
  burstMs?: number;
  /** Mark packets of senders that understand ECN in place of dropping them. Default false. */
  ecn?: boolean;
  /** PIE: drop even those above this drop probability; 0.1. */
  ecnThreshold?: number;
  /** FQ: queues that flows are hashed into; 1024. */
  flows?: number;
  /** FQ: bytes a flow may send in its turn; 1514. */
  quantumBytes?: number;
}

/** Varies the delay from packet to packet; in order unless `mayReorder`. */
export interface JitterSpec {
  shape: 'uniform' | 'normal';
  /** Uniform: the most a packet is early or late. Normal: the standard deviation. */
  spreadMs: number;
  mayReorder?: boolean;
}

/** Losses in bursts, after Gilbert and Elliott: two states that change with a probability per packet. */
export interface BurstLossSpec {
  goodToBad: number;
  badToGood: number;
  /** Share lost in the bad state. Default 1. */
  lossBad?: number;
  /** Share lost in the good state. Default 0. */
  lossGood?: number;
}

/** When a direction is a black hole, counted from the start of the run or from the event that says so. */
export interface OutageSpec {
  /** In order of time, without overlap. */
  outages: readonly { atMs: number; durationMs: number }[];
  /** The list starts again after so long, no sooner than its last outage ends. */
  periodMs?: number;
}

/** What a box in the middle does to MPTCP; what is left out it does not do. */
export interface MiddleboxSpec {
  /** Takes MP_CAPABLE out of SYNs: connections fall back to TCP. */
  stripMpCapable?: boolean;
  /** Takes MP_JOIN out of SYNs: no further subflow over this link. */
  stripMpJoin?: boolean;
  /** Takes ADD_ADDR out: further addresses stay unknown. */
  dropAddAddr?: boolean;
  /** Source NAT: packets a -> b get this source address, those of the way back the original one. */
  nat?: { address: string };
  /** Answers both ends with RST once a TCP connection has carried so many bytes in this link. */
  resetAfterBytes?: number;
}

/** One direction of a link. Unlimited where neither rate nor trace is given. */
export interface DirectionSpec {
  rateBps?: number;
  /** In place of a constant rate. */
  trace?: TraceSpec;
  /** One way. */
  delayMs: number;
  /** 0 to 1, each packet by itself. */
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
  /** Where it came from, as written in the scenario. */
  file: string;
  steps: readonly TraceStep[];
  /** Stay at the last step, in place of beginning again. */
  once?: boolean;
}

/** A rate for a while; 0 is an outage in which packets wait. */
export interface TraceStep {
  durationMs: number;
  rateBps: number;
  /** One way; left out, the link's own delay stays. */
  delayMs?: number;
}
