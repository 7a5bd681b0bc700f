import type { Packet } from '../packet';
import type { PacketFifo } from './packet-fifo';

export interface FlowSchedulerConfig {
  /** Number of flow queues. */
  flows: number;
  /** Bytes a flow may send per round. */
  quantumBytes: number;
}

interface Slot<Flow> {
  readonly flow: Flow;
  deficitBytes: number;
  active: boolean;
}

/**
 * The deficit round robin of RFC 8290, section 4.2: new flows go first, for one quantum, so that a sparse
 * flow never waits behind a bulk flow.
 */
export class FlowScheduler<Flow extends { readonly packets: PacketFifo }> {
  readonly #config: FlowSchedulerConfig;
  readonly #make: () => Flow;
  readonly #slots = new Map<number, Slot<Flow>>();
  readonly #newFlows: Slot<Flow>[] = [];
  readonly #oldFlows: Slot<Flow>[] = [];

  /** @param make creates the state of a flow at its first packet */
  constructor(config: FlowSchedulerConfig, make: () => Flow) {
    this.#config = config;
    this.#make = make;
  }

  /** The flow of a hash. */
  at(hash: number): Flow {
    return this.#slot(hash).flow;
  }

  /** Reports that the flow of a hash received a packet. */
  activate(hash: number): void {
    const slot = this.#slot(hash);
    if (slot.active) return;
    slot.active = true;
    slot.deficitBytes = this.#config.quantumBytes;
    this.#newFlows.push(slot);
  }

  /** The next packet: `pull(flow)` of the flow that is scheduled. */
  dequeue(pull: (flow: Flow) => Packet | undefined): Packet | undefined {
    for (;;) {
      const isNew = this.#newFlows.length > 0;
      const turn = isNew ? this.#newFlows : this.#oldFlows;
      const slot = turn[0];
      if (slot === undefined) return undefined;
      if (slot.deficitBytes <= 0) {
        slot.deficitBytes += this.#config.quantumBytes;
        turn.shift();
        this.#oldFlows.push(slot);
        continue;
      }
      const packet = pull(slot.flow);
      if (packet !== undefined) {
        slot.deficitBytes -= packet.sizeBytes;
        return packet;
      }
      turn.shift();
      // An emptied new flow passes through the old flows once; otherwise a flow of single packets would
      // always go first.
      if (isNew) this.#oldFlows.push(slot);
      else slot.active = false;
    }
  }

  /** Every flow so far, in the order of their slots. */
  *flows(): Iterable<Flow> {
    const places = [...this.#slots.keys()].sort((a, b) => a - b);
    for (const place of places) {
      const slot = this.#slots.get(place);
      if (slot !== undefined) yield slot.flow;
    }
  }

  #slot(hash: number): Slot<Flow> {
    const place = hash % this.#config.flows;
    const known = this.#slots.get(place);
    if (known !== undefined) return known;
    const slot: Slot<Flow> = { flow: this.#make(), deficitBytes: 0, active: false };
    this.#slots.set(place, slot);
    return slot;
  }
}
