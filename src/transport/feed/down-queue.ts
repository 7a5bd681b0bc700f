import type { FeedDown } from '../../ipc';

/** A page with more waiting events has gone: it is not just slow. An event takes 2 kB at most. */
const MAX_WAITING = 1024;

/** Only the newest of these counts: a state, or an answer that replaces the one before. */
const superseding: ReadonlySet<FeedDown['type']> = new Set(['samples', 'status', 'path-control']);

export interface DownQueue {
  push(message: FeedDown): void;
  /** Call this when the channel can take more. */
  drain(): void;
  /** Waiting messages. */
  readonly length: number;
}

/**
 * The queue of a slow page: it sends everything in order, but keeps only the newest of the waiting batches,
 * states and answers. A batch counts those it replaced in `lostSamples`.
 * @param overflow called once, when the page no longer reads
 */
export function createDownQueue(
  channel: { send(message: FeedDown): void; congested(): boolean },
  overflow: () => void,
): DownQueue {
  const waiting: FeedDown[] = [];
  let overflowed = false;

  const drain = (): void => {
    while (waiting.length > 0 && !channel.congested()) {
      const next = waiting.shift();
      if (next) channel.send(next);
    }
  };

  /** Merges an older waiting batch into the newer one, and removes the older. */
  const merge = (message: FeedDown): FeedDown => {
    if (!superseding.has(message.type)) return message;
    const index = waiting.findIndex((item) => item.type === message.type);
    if (index === -1) return message;
    const [older] = waiting.splice(index, 1);
    if (message.type !== 'samples' || older?.type !== 'samples') return message;
    const lostSamples = message.batch.lostSamples + older.batch.lostSamples + 1;
    return { type: 'samples', batch: { ...message.batch, lostSamples } };
  };

  return {
    push(message) {
      if (overflowed) return;
      waiting.push(merge(message));
      drain();
      if (waiting.length > MAX_WAITING) {
        overflowed = true;
        waiting.length = 0;
        overflow();
      }
    },
    drain,
    get length() {
      return waiting.length;
    },
  };
}
