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
  /** Waiting time of the packet that left last. */
  lastWaitNs: number;
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
    super(limit, flows, () => ({ packets: new PacketFifo(), pie: new Pie(config), lastWaitNs: 0 }));
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

  flowDelayNs(): number | undefined {
    let sumNs = 0;
    let active = 0;
    for (const { packets, lastWaitNs } of this.flows.flows()) {
      if (packets.sizePackets === 0) continue;
      sumNs += lastWaitNs;
      active += 1;
    }
    return active > 0 ? sumNs / active : undefined;
  }

  protected override next(flow: Flow, nowNs: number): Packet | undefined {
    flow.pie.catchUp(flow.packets, nowNs);
    const packet = flow.packets.pop();
    if (packet !== undefined) flow.lastWaitNs = nowNs - packet.arrivedNs;
    return packet;
  }
}
