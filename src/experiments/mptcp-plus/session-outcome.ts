import { summarize } from '../../qoe';
import type { LogEvent } from '../../session-log';
import type { SessionOutcome } from './jobs';

/** One session measured from its log, simulated or of the lab. The paths are `fast` and `slow`. */
export function sessionOutcome(events: Iterable<LogEvent>): SessionOutcome {
  const summary = summarize(events);
  const video = summary.segments.find(({ mediaType }) => mediaType === 'video');
  const bytesOf = (path: string): number => summary.paths.find(({ id }) => id === path)?.bytes ?? 0;
  const all = bytesOf('fast') + bytesOf('slow');
  return {
    kind: 'session',
    bitrateBps: summary.averageBitrateBps,
    switches: summary.switches,
    outageMs: summary.stalls.totalMs,
    qoe: summary.linearQoe?.perSegment ?? null,
    slowShare: all > 0 ? bytesOf('slow') / all : 0,
    delaysMs: video?.delayPercentilesMs ?? [],
    speedsBps: video?.speedPercentilesBps ?? [],
  };
}
