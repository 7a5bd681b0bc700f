import type { SplitMix64 } from '../engine/split-mix';
import type { Packet } from '../packet';
import { PacketFifo } from './packet-fifo';
import { hasRoom, type PacketQueue, type QueueLimit } from './packet-queue';
import { Pie, type PieConfig } from './pie';

/** One FIFO under one PIE controller (RFC 8033). */
export class PieQueue implements PacketQueue {
  readonly name = 'pie';
  drops = 0;
  marks = 0;
  readonly #packets = new PacketFifo();
  readonly #limit: QueueLimit;
  readonly #pie: Pie;
  readonly #random: SplitMix64;

  constructor(limit: QueueLimit, config: PieConfig, random: SplitMix64) {
    this.#limit = limit;
    this.#pie = new Pie(config);
    this.#random = random;
  }

  get sizePackets(): number {
    return this.#packets.sizePackets;
  }

  get sizeBytes(): number {
    return this.#packets.sizeBytes;
  }

  get dropProbability(): number {
    return this.#pie.dropProbability;
  }

  enqueue(packet: Packet, nowNs: number): void {
    const isFull = !hasRoom(this, packet, this.#limit);
    this.#pie.enqueue(this.#packets, packet, { isFull, nowNs, random: this.#random }, this);
  }

  dequeue(nowNs: number): Packet | undefined {
    this.#pie.catchUp(this.#packets, nowNs);
    return this.#packets.pop();
  }

  clear(): number {
    return this.#packets.clear();
  }
}
