import type { Packet } from '../packet';
import { Codel, type CodelConfig } from './codel';
import { PacketFifo } from './packet-fifo';
import { hasRoom, type PacketQueue, type QueueLimit } from './packet-queue';

/** One FIFO under one CoDel controller (RFC 8289). */
export class CodelQueue implements PacketQueue {
  readonly name = 'codel';
  readonly dropProbability = 0;
  drops = 0;
  marks = 0;
  readonly #packets = new PacketFifo();
  readonly #limit: QueueLimit;
  readonly #codel: Codel;

  constructor(limit: QueueLimit, config: CodelConfig) {
    this.#limit = limit;
    this.#codel = new Codel(config);
  }

  get sizePackets(): number {
    return this.#packets.sizePackets;
  }

  get sizeBytes(): number {
    return this.#packets.sizeBytes;
  }

  enqueue(packet: Packet, nowNs: number): void {
    if (!hasRoom(this, packet, this.#limit)) {
      this.drops += 1;
      return;
    }
    packet.arrivedNs = nowNs;
    this.#packets.push(packet);
  }

  dequeue(nowNs: number): Packet | undefined {
    return this.#codel.dequeue(this.#packets, nowNs, this);
  }

  clear(): number {
    return this.#packets.clear();
  }
}
