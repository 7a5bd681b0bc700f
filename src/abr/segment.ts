import type { MediaType, Rung } from '../core';
import type { AbrObservation } from './observation';

/** Bytes per rung of one segment, if known (from the index or from earlier answers). */
export type SegmentBytes = readonly (number | undefined)[];

/** Common length of a DASH segment, for a manifest that gives none. */
const DEFAULT_SEGMENT_MS = 2000;

/** Length of the segments of a type, in ms; above 0. */
export function segmentDurationMs(observation: AbrObservation, mediaType: MediaType): number {
  const statedMs = observation.segmentDurationMs[mediaType] ?? 0;
  return statedMs > 0 ? statedMs : DEFAULT_SEGMENT_MS;
}

/** Size of a rung's segment: the real one, or bit rate times duration. */
export function segmentBytes(
  rung: Rung,
  durationMs: number,
  known: SegmentBytes | undefined,
): number {
  const real = known?.[rung.index];
  if (real !== undefined && Number.isFinite(real) && real > 0) return real;
  return (rung.bitrateBps * durationMs) / 8000;
}

/** True if the size of the next video segment is known on every rung: one alone may be remembered. */
export const hasSizes = ({ nextSegments }: AbrObservation): boolean =>
  nextSegments?.video?.[0]?.every((bytes) => bytes !== undefined) ?? false;

/** Bit rate times duration of the next video segment on a rung. Undefined if its size is known, or the rung is not. */
export function statedVideoBytes(
  observation: AbrObservation,
  rung: number | undefined,
): number | undefined {
  if (observation.nextSegments?.video?.[0]?.[rung ?? -1] !== undefined) return undefined;
  const ladder = observation.ladders.find((one) => one.mediaType === 'video');
  const found = ladder?.rungs.find(({ index }) => index === rung);
  return found && segmentBytes(found, segmentDurationMs(observation, 'video'), undefined);
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
