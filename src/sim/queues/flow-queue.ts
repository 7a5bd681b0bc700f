import type { Packet } from '../packet';
import { FlowScheduler, type FlowSchedulerConfig } from './flow-scheduler';
import type { PacketFifo } from './packet-fifo';
import type { PacketQueue, QueueLimit } from './packet-queue';

/** A discipline over the flow queues and the round robin of RFC 8290. */
export abstract class FlowQueue<
  Flow extends { readonly packets: PacketFifo },
> implements PacketQueue {
  abstract readonly name: string;
  abstract readonly dropProbability: number;
  drops = 0;
  marks = 0;
  sizePackets = 0;
  sizeBytes = 0;
  protected readonly limit: QueueLimit;
  protected readonly flows: FlowScheduler<Flow>;
  #nowNs = 0;

  /** @param make creates the state of a flow at its first packet */
  constructor(limit: QueueLimit, config: FlowSchedulerConfig, make: () => Flow) {
    this.limit = limit;
    this.flows = new FlowScheduler(config, make);
  }

  abstract enqueue(packet: Packet, nowNs: number): void;

  dequeue(nowNs: number): Packet | undefined {
    this.#nowNs = nowNs;
    return this.flows.dequeue(this.#pull);
  }

  clear(): number {
    let count = 0;
    for (const flow of this.flows.flows()) count += flow.packets.clear();
    this.sizePackets = 0;
    this.sizeBytes = 0;
    return count;
  }

  /** The next packet of a flow that is under its controller. */
  protected abstract next(flow: Flow, nowNs: number): Packet | undefined;

  readonly #pull = (flow: Flow): Packet | undefined => {
    const { packets } = flow;
    const packetsBefore = packets.sizePackets;
    const bytesBefore = packets.sizeBytes;
    const packet = this.next(flow, this.#nowNs);
    this.sizePackets -= packetsBefore - packets.sizePackets;
    this.sizeBytes -= bytesBefore - packets.sizeBytes;
    return packet;
  };
}
