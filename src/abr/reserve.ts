import type { MediaType } from '../core';
import type { AbrObservation } from './observation';

/** The simultaneous need of the other media type: audio has priority, video takes the rest. */
export function reservedBps(observation: AbrObservation, mediaType: MediaType): number {
  const other = mediaType === 'video' ? 'audio' : 'video';
  const ladder = observation.ladders.find((one) => one.mediaType === other);
  const rung = mediaType === 'video' ? (observation.currentRung.audio ?? 0) : 0;
  return ladder?.rungs[Math.max(0, rung)]?.bitrateBps ?? 0;
}
