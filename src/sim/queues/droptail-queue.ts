import type { Packet } from '../packet';
import { PacketFifo } from './packet-fifo';
import { hasRoom, type PacketQueue, type QueueLimit } from './packet-queue';

/** First in, first out; a packet that would exceed the limit is dropped at the tail. */
export class DroptailQueue implements PacketQueue {
  readonly name = 'droptail';
  readonly marks = 0;
  readonly dropProbability = 0;
  drops = 0;
  readonly #packets = new PacketFifo();
  readonly #limit: QueueLimit;

  constructor(limit: QueueLimit) {
    this.#limit = limit;
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

  dequeue(): Packet | undefined {
    return this.#packets.pop();
  }

  clear(): number {
    return this.#packets.clear();
  }
}
