import type { FeedDown } from '../../ipc';

/** Small messages that wait beyond this are a page that is gone, not slow. */
const maxWaiting = 4096;

export interface DownQueue {
  push(message: FeedDown): void;
  /** The channel can take more. */
  drain(): void;
  /** Waiting messages. */
  readonly length: number;
}

/**
 * What a slow page gets: everything in order, except that of the batches that wait only the newest is
 * kept, and counts those it replaced in `lostSamples`.
 * @param overflow called once, when the page takes nothing any more
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

  /** Adds what an older waiting batch would have told to the newer one, and drops the older. */
  const merge = (message: FeedDown): FeedDown => {
    if (message.type !== 'samples') return message;
    const index = waiting.findIndex((item) => item.type === 'samples');
    const older = index === -1 ? undefined : waiting[index];
    if (older?.type !== 'samples') return message;
    waiting.splice(index, 1);
    const lostSamples = message.batch.lostSamples + older.batch.lostSamples + 1;
    return { type: 'samples', batch: { ...message.batch, lostSamples } };
  };

  return {
    push(message) {
      waiting.push(merge(message));
      drain();
      if (waiting.length > maxWaiting && !overflowed) {
        overflowed = true;
        overflow();
      }
    },
    drain,
    get length() {
      return waiting.length;
    },
  };
}
