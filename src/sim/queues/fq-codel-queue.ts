import type { Packet } from '../packet';
import { Codel, type CodelConfig } from './codel';
import { FlowScheduler, type FlowSchedulerConfig } from './flow-scheduler';
import { PacketFifo } from './packet-fifo';
import type { PacketQueue, QueueLimit } from './packet-queue';

/**
 * Upper bound of packets dropped per overflow, which amortises the search for the longest queue (RFC 8290,
 * section 4.1).
 */
const MAX_OVERFLOW_BATCH = 64;

interface Flow {
  readonly packets: PacketFifo;
  readonly codel: Codel;
}

/**
 * FQ-CoDel (RFC 8290): one queue per flow, deficit round robin between them, CoDel on each. On overflow the
 * longest queue drops from its head.
 */
export class FqCodelQueue implements PacketQueue {
  readonly name = 'fq_codel';
  readonly dropProbability = 0;
  drops = 0;
  marks = 0;
  sizePackets = 0;
  sizeBytes = 0;
  readonly #limit: QueueLimit;
  readonly #flows: FlowScheduler<Flow>;
  #nowNs = 0;

  constructor(limit: QueueLimit, config: CodelConfig, flows: FlowSchedulerConfig) {
    this.#limit = limit;
    this.#flows = new FlowScheduler(flows, () => ({
      packets: new PacketFifo(),
      codel: new Codel(config),
    }));
  }

  enqueue(packet: Packet, nowNs: number): void {
    packet.arrivedNs = nowNs;
    this.sizePackets += 1;
    this.sizeBytes += packet.sizeBytes;
    this.#flows.at(packet.flow).packets.push(packet);
    this.#flows.activate(packet.flow);
    while (this.sizeBytes > this.#limit.bytes || this.sizePackets > this.#limit.packets) {
      this.#dropFromLongest();
    }
  }

  dequeue(nowNs: number): Packet | undefined {
    this.#nowNs = nowNs;
    return this.#flows.dequeue(this.#pull);
  }

  clear(): number {
    let count = 0;
    for (const flow of this.#flows.flows()) count += flow.packets.clear();
    this.sizePackets = 0;
    this.sizeBytes = 0;
    return count;
  }

  readonly #pull = (flow: Flow): Packet | undefined => {
    const { packets } = flow;
    const packetsBefore = packets.sizePackets;
    const bytesBefore = packets.sizeBytes;
    const packet = flow.codel.dequeue(packets, this.#nowNs, this);
    this.sizePackets -= packetsBefore - packets.sizePackets;
    this.sizeBytes -= bytesBefore - packets.sizeBytes;
    return packet;
  };

  #dropFromLongest(): void {
    let longest: PacketFifo | undefined;
    for (const { packets } of this.#flows.flows()) {
      if (longest === undefined || packets.sizeBytes > longest.sizeBytes) longest = packets;
    }
    if (longest === undefined) return;
    const enoughBytes = Math.floor(longest.sizeBytes / 2);
    let droppedBytes = 0;
    let dropped = 0;
    do {
      droppedBytes += longest.pop()?.sizeBytes ?? 0;
      dropped += 1;
    } while (dropped < MAX_OVERFLOW_BATCH && droppedBytes < enoughBytes);
    this.drops += dropped;
    this.sizePackets -= dropped;
    this.sizeBytes -= droppedBytes;
  }
}
