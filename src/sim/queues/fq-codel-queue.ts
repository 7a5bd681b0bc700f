import type { Packet } from '../packet';
import { Codel, type CodelConfig } from './codel';
import { FlowQueue } from './flow-queue';
import type { FlowSchedulerConfig } from './flow-scheduler';
import { PacketFifo } from './packet-fifo';
import type { QueueLimit } from './packet-queue';

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
export class FqCodelQueue extends FlowQueue<Flow> {
  override readonly name = 'fq_codel';
  override readonly dropProbability = 0;

  constructor(limit: QueueLimit, config: CodelConfig, flows: FlowSchedulerConfig) {
    super(limit, flows, () => ({ packets: new PacketFifo(), codel: new Codel(config) }));
  }

  override enqueue(packet: Packet, nowNs: number): void {
    packet.arrivedNs = nowNs;
    this.sizePackets += 1;
    this.sizeBytes += packet.sizeBytes;
    this.flows.at(packet.flow).packets.push(packet);
    this.flows.activate(packet.flow);
    while (this.sizeBytes > this.limit.bytes || this.sizePackets > this.limit.packets) {
      this.#dropFromLongest();
    }
  }

  protected override next({ packets, codel }: Flow, nowNs: number): Packet | undefined {
    return codel.dequeue(packets, nowNs, this);
  }

  #dropFromLongest(): void {
    let longest: PacketFifo | undefined;
    for (const { packets } of this.flows.flows()) {
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
