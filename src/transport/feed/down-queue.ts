import { limits, type FeedDown } from '../../ipc';
import type { PathControlReport } from '../../session-log';

/** A page with more waiting events has gone: it is not just slow. An event takes 2 kB at most. */
const MAX_WAITING = 1024;

/** Of these only the newest waits, and keeps of the one before what it does not tell itself. */
const superseding: ReadonlySet<FeedDown['type']> = new Set(['samples', 'status', 'path-control']);

/** The newer report with the older one's refusals, but for paths that were refused again or reached the state since. */
function mergeReports(older: PathControlReport, newer: PathControlReport): PathControlReport {
  const isOver = ({ pathId, state }: PathControlReport['refusals'][number]): boolean =>
    newer.refusals.some((item) => item.pathId === pathId) ||
    newer.paths.some((item) => item.pathId === pathId && item.state === state);
  const refusals = [...older.refusals.filter((item) => !isOver(item)), ...newer.refusals];
  return { ...older, ...newer, refusals: refusals.slice(-limits.paths) };
}

export interface DownQueue {
  push(message: FeedDown): void;
  /** Call this when the channel can take more. */
  drain(): void;
  /** Waiting messages. */
  readonly length: number;
}

/**
 * The queue of a slow page: it sends everything in order, but keeps only the newest of the waiting batches,
 * states and answers. A batch counts those it replaced in `lostSamples`. An answer keeps the refusals of those it
 * replaced, since each answers for its own paths.
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
    if (message.type === 'path-control' && older?.type === 'path-control') {
      return { type: 'path-control', report: mergeReports(older.report, message.report) };
    }
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
