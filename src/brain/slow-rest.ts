/**
 * The rest of an answer on a slow path. All of it may have been assigned to a path that has become slow, and Linux assigns nothing
 * anew while that path delivers. A path that comes back then stays idle, and playback waits for the slow one. Once that is
 * closed, the kernel hands its bytes to the others.
 */
import { clamp } from '../core';
import type { PathEstimatorState } from '../estimate';
import type { PathHealth } from './path-health';
import type { BrainObservation } from './types';

export const restConfig = {
  /** Time without bytes of a path that has just answered a handshake, while another one delivers. */
  idleMs: 500,
  /** The handshake shows for so long that the path is alive. */
  aliveMs: 5000,
  /** A shorter rest is waited for: a path that is closed is away for 2 s. */
  restMs: 2000,
  /** Playback has stopped, or is about to. */
  bufferMs: 500,
} as const;

/** Closes the paths that hold the rest of the video's answer, if playback waits for it and another path is idle. */
export function handOverRest(
  health: readonly PathHealth[],
  { paths }: PathEstimatorState,
  { bufferMs, currentRung, monotonicMs, requests }: BrainObservation,
): PathHealth[] {
  const video = requests.find(({ mediaType }) => mediaType === 'video');
  const restBytes = (video?.bytesTotal ?? 0) - (video?.bytesLoaded ?? 0);
  const hasBegun = (currentRung.video ?? -1) >= 0;
  const isAwaited = hasBegun && (bufferMs.video ?? Infinity) <= restConfig.bufferMs;
  const isFree = ({ backMs, pathId, state }: PathHealth): boolean => {
    const track = paths.get(pathId);
    return (
      state === 'healthy' &&
      track?.state === 'active' &&
      track.unusedMs >= restConfig.idleMs &&
      backMs !== null &&
      monotonicMs - backMs <= restConfig.aliveMs
    );
  };
  if (!isAwaited || !health.some(isFree)) return [...health];
  return health.map((entry) => {
    if (entry.state !== 'healthy' || isFree(entry)) return entry;
    const restMs = (restBytes * 8000) / clamp(entry.recentBps, 1, Infinity);
    if (restMs <= restConfig.restMs) return entry;
    return {
      ...entry,
      state: 'stale',
      sinceMs: monotonicMs,
      behindMs: 0,
      failures: entry.failures + 1,
    };
  });
}
