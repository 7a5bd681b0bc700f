import type { SplitMix64 } from '../engine/split-mix';
import type { Packet } from '../packet';
import { FlowScheduler, type FlowSchedulerConfig } from './flow-scheduler';
import { PacketFifo } from './packet-fifo';
import { hasRoom, type PacketQueue, type QueueLimit } from './packet-queue';
import { Pie, type PieConfig } from './pie';

interface Flow {
  readonly packets: PacketFifo;
  readonly pie: Pie;
}

/**
 * FQ-PIE: the flow queues and the round robin of RFC 8290 with a PIE controller (RFC 8033) on each flow. No
 * RFC describes the combination. Open choices follow Linux's fq_pie: a full queue drops the arriving packet.
 */
export class FqPieQueue implements PacketQueue {
  readonly name = 'fq_pie';
  drops = 0;
  marks = 0;
  sizePackets = 0;
  sizeBytes = 0;
  readonly #limit: QueueLimit;
  readonly #flows: FlowScheduler<Flow>;
  readonly #random: SplitMix64;
  #nowNs = 0;

  constructor(
    limit: QueueLimit,
    config: PieConfig,
    flows: FlowSchedulerConfig,
    random: SplitMix64,
  ) {
    this.#limit = limit;
    this.#random = random;
    this.#flows = new FlowScheduler(flows, () => ({
      packets: new PacketFifo(),
      pie: new Pie(config),
    }));
  }

  get dropProbability(): number {
    let highest = 0;
    for (const { packets, pie } of this.#flows.flows()) {
      if (packets.sizePackets > 0) highest = Math.max(highest, pie.dropProbability);
    }
    return highest;
  }

  enqueue(packet: Packet, nowNs: number): void {
    const { packets, pie } = this.#flows.at(packet.flow);
    const isFull = !hasRoom(this, packet, this.#limit);
    const random = this.#random;
    if (!pie.enqueue(packets, packet, { isFull, nowNs, random }, this)) return;
    this.sizePackets += 1;
    this.sizeBytes += packet.sizeBytes;
    this.#flows.activate(packet.flow);
  }

  dequeue(nowNs: number): Packet | undefined {
    this.#nowNs = nowNs;
    const packet = this.#flows.dequeue(this.#pull);
    if (packet !== undefined) {
      this.sizePackets -= 1;
      this.sizeBytes -= packet.sizeBytes;
    }
    return packet;
  }

  clear(): number {
    let count = 0;
    for (const flow of this.#flows.flows()) count += flow.packets.clear();
    this.sizePackets = 0;
    this.sizeBytes = 0;
    return count;
  }

  readonly #pull = (flow: Flow): Packet | undefined => {
    flow.pie.catchUp(flow.packets, this.#nowNs);
    return flow.packets.pop();
  };
}
