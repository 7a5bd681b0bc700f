import type { SplitMix64 } from '../engine/split-mix';
import type { Packet } from '../packet';
import { FifoQueue } from './fifo-queue';
import { hasRoom, type QueueLimit } from './packet-queue';
import { Pie, type PieConfig } from './pie';

/** One FIFO under one PIE controller (RFC 8033). */
export class PieQueue extends FifoQueue {
  override readonly name = 'pie';
  readonly #pie: Pie;
  readonly #random: SplitMix64;

  constructor(limit: QueueLimit, config: PieConfig, random: SplitMix64) {
    super(limit);
    this.#pie = new Pie(config);
    this.#random = random;
  }

  override get dropProbability(): number {
    return this.#pie.dropProbability;
  }

  override enqueue(packet: Packet, nowNs: number): void {
    const isFull = !hasRoom(this, packet, this.limit);
    this.#pie.enqueue(this.packets, packet, { isFull, nowNs, random: this.#random }, this);
  }

  override dequeue(nowNs: number): Packet | undefined {
    this.#pie.catchUp(this.packets, nowNs);
    return this.packets.pop();
  }
}
