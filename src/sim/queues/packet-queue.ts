import type { Packet } from '../packet';

/**
 * What a link holds packets by while it is busy: a queue discipline. Both sides are told the instant of the event;
 * `Packet.arrivedNs` is that of `enqueue`.
 */
export interface PacketQueue {
  readonly name: string;
  readonly sizePackets: number;
  readonly sizeBytes: number;
  /** Packets dropped by the discipline, on either side. */
  readonly drops: number;
  /** Packets marked with Congestion Experienced. */
  readonly marks: number;
  /** Probability with which an arriving packet is dropped or marked; the highest of all flows where each has one. */
  readonly dropProbability: number;
  /** Takes the packet or drops it; it may drop others in its place. */
  enqueue(packet: Packet, nowNs: number): void;
  /** The packet to send next. */
  dequeue(nowNs: number): Packet | undefined;
  /** Throws everything away; not counted in `drops`. @returns how many packets that were */
  clear(): number;
}

/** How much a queue may hold: both bounds at once, each inclusive. */
export interface QueueLimit {
  bytes: number;
  packets: number;
}
