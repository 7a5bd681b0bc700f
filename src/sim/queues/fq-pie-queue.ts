import type { SplitMix64 } from '../engine/split-mix';
import type { Packet } from '../packet';
import { FlowQueue } from './flow-queue';
import type { FlowSchedulerConfig } from './flow-scheduler';
import { PacketFifo } from './packet-fifo';
import { hasRoom, type QueueLimit } from './packet-queue';
import { Pie, type PieConfig } from './pie';

interface Flow {
  readonly packets: PacketFifo;
  readonly pie: Pie;
}

/**
 * FQ-PIE: the flow queues and the round robin of RFC 8290 with a PIE controller (RFC 8033) on each flow. No
 * RFC describes the combination. Open choices follow Linux's fq_pie: a full queue drops the arriving packet.
 */
export class FqPieQueue extends FlowQueue<Flow> {
  override readonly name = 'fq_pie';
  readonly #random: SplitMix64;

  constructor(
    limit: QueueLimit,
    config: PieConfig,
    flows: FlowSchedulerConfig,
    random: SplitMix64,
  ) {
    super(limit, flows, () => ({ packets: new PacketFifo(), pie: new Pie(config) }));
    this.#random = random;
  }

  override get dropProbability(): number {
    let highest = 0;
    for (const { packets, pie } of this.flows.flows()) {
      if (packets.sizePackets > 0) highest = Math.max(highest, pie.dropProbability);
    }
    return highest;
  }

  override enqueue(packet: Packet, nowNs: number): void {
    const { packets, pie } = this.flows.at(packet.flow);
    const isFull = !hasRoom(this, packet, this.limit);
    const random = this.#random;
    if (!pie.enqueue(packets, packet, { isFull, nowNs, random }, this)) return;
    this.sizePackets += 1;
    this.sizeBytes += packet.sizeBytes;
    this.flows.activate(packet.flow);
  }

  protected override next({ packets, pie }: Flow, nowNs: number): Packet | undefined {
    pie.catchUp(packets, nowNs);
    return packets.pop();
  }
}
