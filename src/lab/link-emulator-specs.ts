export const QUEUE_DISCIPLINES = ['droptail', 'pie', 'fq_pie', 'codel', 'fq_codel'] as const;
type QueueDiscipline = (typeof QUEUE_DISCIPLINES)[number];

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
