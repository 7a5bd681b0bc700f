import type { MediaPlayerClass } from 'dashjs';
import type { BufferHoles, TimeRange } from '../recovery/buffer-holes';
import { isMediaType, type ExtensionThis } from './dash-types';

interface DashMetrics {
  getCurrentBufferLevel: (mediaType: string) => number;
}

/** The parts of dash.js's stream that lead to its source buffers. */
interface StreamProcessor {
  getType(): string;
  getBuffer(): { getAllBufferRanges(): TimeRanges | null } | null;
}

/**
 * Makes dash.js count the buffer behind a hole that nobody fills. Its look-ahead stays bounded. Audio is
 * fetched past the hole too, which the gap controller needs to jump it. Call before `initialize()`.
 */
export function countBehindHoles(player: MediaPlayerClass, holes: BufferHoles): void {
  function HoleAwareMetrics(this: ExtensionThis<DashMetrics>): DashMetrics {
    // dash.js writes the override into the parent object itself, so its own function is read first.
    const { getCurrentBufferLevel } = this.parent;
    return {
      getCurrentBufferLevel: (mediaType) => {
        const seconds = getCurrentBufferLevel(mediaType);
        if (!isMediaType(mediaType) || !player.isReady()) return seconds;
        const positionMs = player.getVideoElement().currentTime * 1000;
        const aheadMs = holes.aheadMs(mediaType, buffered(player, mediaType), positionMs);
        return Math.max(seconds, (aheadMs ?? 0) / 1000);
      },
    };
  }
  player.extend('DashMetrics', HoleAwareMetrics, true);
}

/** Buffered ranges of a type's source buffers, ascending. */
function buffered(player: MediaPlayerClass, mediaType: string): TimeRange[] {
  const processors = (player.getActiveStream()?.getStreamProcessors() ?? []) as StreamProcessor[];
  const ranges = processors
    .find((one) => one.getType() === mediaType)
    ?.getBuffer()
    ?.getAllBufferRanges();
  return Array.from({ length: ranges?.length ?? 0 }, (_, index) => ({
    startMs: (ranges?.start(index) ?? 0) * 1000,
    endMs: (ranges?.end(index) ?? 0) * 1000,
  }));
}
