import type { MediaType } from '../core';
import type { BrainObservation } from './types';

/** What the other media type needs at the same time: audio goes first, video takes what is left. */
export function reservedBps(observation: BrainObservation, mediaType: MediaType): number {
  const other = mediaType === 'video' ? 'audio' : 'video';
  const ladder = observation.ladders.find((one) => one.mediaType === other);
  const rung = mediaType === 'video' ? (observation.currentRung.audio ?? 0) : 0;
  return ladder?.rungs[Math.max(0, rung)]?.bitrateBps ?? 0;
}
