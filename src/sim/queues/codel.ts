import { Ecn, type Packet } from '../packet';
import type { PacketFifo } from './packet-fifo';
import type { DropCounts } from './packet-queue';

/** Parameters of CoDel (RFC 8289, section 4). */
export interface CodelConfig {
  /** TARGET. */
  targetNs: number;
  /** INTERVAL. */
  intervalNs: number;
  ecn: boolean;
  /** A queue of at most one full packet is never dropped from (section 5.4). */
  maxPacketBytes: number;
}

/** Section 5.5: within this many intervals of the last drop the old drop rate resumes. */
const MEMORY_INTERVALS = 16;

/**
 * The CoDel controller of one queue (RFC 8289, section 5): decides at departure, by the sojourn time and by
 * how long it has been above the target.
 */
export class Codel {
  readonly #config: CodelConfig;
  #dropping = false;
  /** Time at which the delay will have exceeded the target for a whole interval; 0: below the target. */
  #firstAboveNs = 0;
  #dropNextNs = 0;
  #count = 0;
  #lastCount = 0;
  #okToDrop = false;

  constructor(config: CodelConfig) {
    this.#config = config;
  }

  /** Takes the next packet to send from the queue; drops or marks packets on the way. */
  dequeue(queue: PacketFifo, nowNs: number, counts: DropCounts): Packet | undefined {
    let head = this.#take(queue, nowNs);
    if (head === undefined) {
      this.#dropping = false;
      return undefined;
    }
    if (this.#dropping) {
      if (!this.#okToDrop) this.#dropping = false;
      while (this.#dropping && nowNs >= this.#dropNextNs && head !== undefined) {
        this.#count += 1;
        if (this.#mark(head, counts)) {
          this.#dropNextNs = this.#controlLaw(this.#dropNextNs);
          break;
        }
        counts.drops += 1;
        head = this.#take(queue, nowNs);
        if (this.#okToDrop) this.#dropNextNs = this.#controlLaw(this.#dropNextNs);
        else this.#dropping = false;
      }
      return head;
    }
    if (!this.#okToDrop) return head;
    if (!this.#mark(head, counts)) {
      counts.drops += 1;
      head = this.#take(queue, nowNs);
    }
    this.#dropping = true;
    // Re-entry: a drop rate that was nearly right is reused (section 5.5).
    const delta = this.#count - this.#lastCount;
    const recent = nowNs < this.#dropNextNs + MEMORY_INTERVALS * this.#config.intervalNs;
    this.#count = delta > 1 && recent ? delta : 1;
    this.#lastCount = this.#count;
    this.#dropNextNs = this.#controlLaw(nowNs);
    return head;
  }

  #take(queue: PacketFifo, nowNs: number): Packet | undefined {
    this.#okToDrop = false;
    const sojournNs = queue.headAgeNs(nowNs);
    const packet = queue.pop();
    const { targetNs, intervalNs, maxPacketBytes } = this.#config;
    if (packet === undefined || sojournNs < targetNs || queue.sizeBytes <= maxPacketBytes) {
      this.#firstAboveNs = 0;
    } else if (this.#firstAboveNs === 0) {
      this.#firstAboveNs = nowNs + intervalNs;
    } else {
      this.#okToDrop = nowNs >= this.#firstAboveNs;
    }
    return packet;
  }

  #mark(packet: Packet, counts: DropCounts): boolean {
    if (!this.#config.ecn || packet.ecn === Ecn.notCapable) return false;
    packet.ecn = Ecn.congestion;
    counts.marks += 1;
    return true;
  }

  #controlLaw(fromNs: number): number {
    return fromNs + Math.floor(this.#config.intervalNs / Math.sqrt(this.#count));
  }
}
