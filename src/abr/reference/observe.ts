import type { AbrObservation } from '../observation';
import { segmentBytes, segmentDurationMs } from '../segment';
import type { ReferenceObservation } from './observation';

/** Segments that a reference rule plans for. */
const AHEAD = 5;

/**
 * A player's state as a reference rule sees it; undefined without video.
 * @param throughputBps of the video segments so far, oldest first
 */
export function observeForReference(
  observation: AbrObservation,
  throughputBps: readonly number[],
): ReferenceObservation | undefined {
  const ladder = observation.ladders.find(({ mediaType }) => mediaType === 'video');
  if (ladder === undefined || ladder.rungs.length === 0) return undefined;
  const segmentMs = segmentDurationMs(observation, 'video');
  const known = observation.nextSegments?.video ?? [];
  return {
    ladder,
    currentRung: observation.currentRung.video ?? -1,
    bufferMs: observation.bufferMs.video ?? 0,
    bufferTargetMs: observation.bufferTargetMs,
    segmentMs,
    throughputBps,
    nextBytes: Array.from({ length: AHEAD }, (_, ahead) =>
      ladder.rungs.map((rung) => segmentBytes(rung, segmentMs, known[ahead])),
    ),
  };
}
