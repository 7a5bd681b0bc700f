import type { SplitMix64 } from '../engine/split-mix';
import { Ecn, type Packet } from '../packet';
import { PacketFifo } from './packet-fifo';
import type { PacketQueue, QueueLimit } from './packet-queue';
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
    const packets = this.#packets;
    if (
      packets.sizeBytes + packet.sizeBytes > this.#limit.bytes ||
      packets.sizePackets >= this.#limit.packets
    ) {
      this.#pie.catchUp(packets, nowNs);
      this.#pie.onOverflow();
      this.drops += 1;
      return;
    }
    const verdict = this.#pie.decide(packets, packet.ecn !== Ecn.notCapable, nowNs, this.#random);
    if (verdict === 'drop') {
      this.drops += 1;
      return;
    }
    if (verdict === 'mark') {
      packet.ecn = Ecn.congestion;
      this.marks += 1;
    }
    packet.arrivedNs = nowNs;
    packets.push(packet);
  }

  dequeue(nowNs: number): Packet | undefined {
    this.#pie.catchUp(this.#packets, nowNs);
    return this.#packets.pop();
  }

  clear(): number {
    return this.#packets.clear();
  }
}
