import type { QueueSpec } from './link-spec';

/** Droptail limit where none is given: 40 full packets, 96 ms at 5 Mbit/s. */
export const DROPTAIL_BYTES = 60_000;
/** Limit of an AQM in a scenario: 1000 full packets, so that the AQM drops and not the limit. */
export const AQM_BYTES = 1_500_000;

/** Limits where neither bytes nor packets are given: those of the kernel's qdiscs. */
const PACKETS = 1_000;
const FQ_PACKETS = 10_240;
/** `memory_limit` of fq_codel and fq_pie. */
const FQ_BYTES = 32e6;

/** The default of each field of a queue: RFC 8033 (PIE), 8289 (CoDel), 8290 (FQ-CoDel). */
const DEFAULTS = {
  intervalMs: 100,
  updateMs: 15,
  burstMs: 150,
  ecn: false,
  ecnThreshold: 0.1,
  flows: 1024,
  quantumBytes: 1514,
};
const PIE_TARGET_MS = 15;
const CODEL_TARGET_MS = 5;

export const isFairQueue = ({ discipline }: QueueSpec): boolean => discipline.startsWith('fq_');
export const isPie = ({ discipline }: QueueSpec): boolean => discipline.endsWith('pie');

/** A queue with every field but its limits. */
export type FullQueueSpec = QueueSpec & typeof DEFAULTS & { targetMs: number };

/** Fills in the defaults of the queue's discipline. */
export function withQueueDefaults(spec: QueueSpec): FullQueueSpec {
  return { ...DEFAULTS, targetMs: isPie(spec) ? PIE_TARGET_MS : CODEL_TARGET_MS, ...spec };
}

/** Limits of a queue; at least one of the two is finite. */
export function queueLimit(
  spec: QueueSpec,
  queueBytes: number | undefined,
): { bytes: number; packets: number } {
  if (queueBytes !== undefined || spec.limitPackets !== undefined) {
    return { bytes: queueBytes ?? Infinity, packets: spec.limitPackets ?? Infinity };
  }
  if (spec.discipline === 'droptail') return { bytes: DROPTAIL_BYTES, packets: Infinity };
  if (isFairQueue(spec)) return { bytes: FQ_BYTES, packets: FQ_PACKETS };
  return { bytes: Infinity, packets: PACKETS };
}
