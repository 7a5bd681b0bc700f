import type { Packet } from '../packet';
import { PacketFifo } from './packet-fifo';
import { hasRoom, type PacketQueue, type QueueLimit } from './packet-queue';

/** A discipline over one FIFO. A packet that would exceed the limit is dropped at the tail. */
export abstract class FifoQueue implements PacketQueue {
  abstract readonly name: string;
  abstract readonly dropProbability: number;
  drops = 0;
  marks = 0;
  protected readonly packets = new PacketFifo();
  protected readonly limit: QueueLimit;

  constructor(limit: QueueLimit) {
    this.limit = limit;
  }

  get sizePackets(): number {
    return this.packets.sizePackets;
  }

  get sizeBytes(): number {
    return this.packets.sizeBytes;
  }

  enqueue(packet: Packet, nowNs: number): void {
    if (!hasRoom(this, packet, this.limit)) {
      this.drops += 1;
      return;
    }
    packet.arrivedNs = nowNs;
    this.packets.push(packet);
  }

  abstract dequeue(nowNs: number): Packet | undefined;

  clear(): number {
    return this.packets.clear();
  }
}
