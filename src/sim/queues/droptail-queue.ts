import type { Packet } from '../packet';
import { FifoQueue } from './fifo-queue';

/** First in, first out. */
export class DroptailQueue extends FifoQueue {
  override readonly name = 'droptail';
  override readonly dropProbability = 0;

  override dequeue(): Packet | undefined {
    return this.packets.pop();
  }
}
