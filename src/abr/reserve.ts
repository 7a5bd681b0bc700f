import type { MediaType } from '../core';
import type { AbrObservation } from './observation';
import { segmentBytes, segmentDurationMs } from './segment';

/** The simultaneous need of the other media type: audio has priority, video takes the rest. */
export function reservedBps(observation: AbrObservation, mediaType: MediaType): number {
  const other = mediaType === 'video' ? 'audio' : 'video';
  const ladder = observation.ladders.find((one) => one.mediaType === other);
  const rung = mediaType === 'video' ? (observation.currentRung.audio ?? 0) : 0;
  return ladder?.rungs[Math.max(0, rung)]?.bitrateBps ?? 0;
}

/** Video segments that were requested and have not arrived, and their missing bytes. */
export function pendingVideo(observation: AbrObservation): { segments: number; bytes: number } {
  const ladder = observation.ladders.find((one) => one.mediaType === 'video');
  const [next] = observation.nextSegments?.video ?? [];
  const left = observation.requests.flatMap(
    ({ mediaType, durationMs = 0, bytesTotal, bytesLoaded, rung }) => {
      if (mediaType !== 'video' || durationMs <= 0) return [];
      const known = ladder?.rungs[rung];
      const guess = known ? segmentBytes(known, segmentDurationMs(observation, 'video'), next) : 0;
      return [Math.max(0, (bytesTotal ?? guess) - bytesLoaded)];
    },
  );
  return { segments: left.length, bytes: left.reduce((sum, bytes) => sum + bytes, 0) };
}
