import type { Packet } from '../packet';

/** Counters of a queue's controller. */
export interface DropCounts {
  drops: number;
  marks: number;
}

/**
 * The buffer of a busy link: a queue discipline. Both operations get the current time; `Packet.arrivedNs` is
 * the time of `enqueue`.
 */
export interface PacketQueue {
  readonly name: string;
  readonly sizePackets: number;
  readonly sizeBytes: number;
  /** Packets dropped by the discipline, at enqueue or dequeue. */
  readonly drops: number;
  /** Packets marked with Congestion Experienced. */
  readonly marks: number;
  /** Probability of dropping or marking an arriving packet; the maximum over flows where each has one. */
  readonly dropProbability: number;
  /**
   * Mean over the flow queues with packets: how long the packet waited that left each of them last, as Linux's
   * `fq_pie` reports its PIE instances. Undefined without one. Only disciplines with flow queues have it.
   */
  flowDelayNs?(): number | undefined;
  /** Accepts or drops the packet; may drop others instead. */
  enqueue(packet: Packet, nowNs: number): void;
  /** The packet to send next. */
  dequeue(nowNs: number): Packet | undefined;
  /**
   * Discards all packets without counting them in `drops`.
   * @returns their number
   */
  clear(): number;
}

/** Capacity of a queue: both bounds apply, each inclusive. */
export interface QueueLimit {
  bytes: number;
  packets: number;
}

export function hasRoom(
  { sizeBytes, sizePackets }: Pick<PacketQueue, 'sizeBytes' | 'sizePackets'>,
  packet: Packet,
  limit: QueueLimit,
): boolean {
  return sizeBytes + packet.sizeBytes <= limit.bytes && sizePackets < limit.packets;
}
