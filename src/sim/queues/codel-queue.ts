import type { Packet } from '../packet';
import { Codel, type CodelConfig } from './codel';
import { FifoQueue } from './fifo-queue';
import type { QueueLimit } from './packet-queue';

/** One FIFO under one CoDel controller (RFC 8289). */
export class CodelQueue extends FifoQueue {
  override readonly name = 'codel';
  override readonly dropProbability = 0;
  readonly #codel: Codel;

  constructor(limit: QueueLimit, config: CodelConfig) {
    super(limit);
    this.#codel = new Codel(config);
  }

  override dequeue(nowNs: number): Packet | undefined {
    return this.#codel.dequeue(this.packets, nowNs, this);
  }
}
