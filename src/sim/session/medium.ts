import type { Ladder, MediaType } from '../../core';
import type { MediaSizes } from '../../scenario';
import type { CarriedRequest, MediaClient } from './carriage';

/** The source of a segment. */
export interface SegmentPlace {
  rung: number;
  /** Segment number, from 0. */
  segment: number;
}

export interface SegmentInFlight extends SegmentPlace {
  exchange: CarriedRequest;
}

/** One medium of a session: its segments and its progress. */
export interface Medium {
  type: MediaType;
  ladder: Ladder;
  /** Bytes by rung, then by segment. */
  sizes: readonly (readonly number[])[];
  client: MediaClient;
  /** The next segment to request. */
  next: number;
  /** Rung of the last requested segment; -1 before the first. */
  rung: number;
  /** True once its init segment has arrived. */
  ready: boolean;
  /** Its only request. */
  inFlight: SegmentInFlight | undefined;
}

/** Bytes of the next segments by rung, next first. Fewer at the end of the film. */
export function nextBytes(medium: Medium, count: number): number[][] {
  return Array.from({ length: count }, (_, ahead) =>
    medium.sizes.map((bytes) => bytes[medium.next + ahead] ?? -1),
  ).filter((sizes) => sizes.every((bytes) => bytes >= 0));
}

/** All of it was asked for. */
export function isFetched({ next, sizes }: Medium): boolean {
  return next >= (sizes[0]?.length ?? 0);
}

/** Length of the media whose sizes are known. */
export function mediaTypes({ audio }: MediaSizes): MediaType[] {
  return audio.length > 0 ? ['video', 'audio'] : ['video'];
}

export function ladderOf(sizes: MediaSizes, type: MediaType): Ladder {
  const rungs = sizes[type].map(({ bitrateBps }, index) => {
    return { index, representationId: `${type}-${index}`, bitrateBps };
  });
  return { mediaType: type, rungs };
}

/** Video and, where there is any, audio, each with a client of its own. */
export function createMedia(sizes: MediaSizes, clients: readonly MediaClient[]): Medium[] {
  const types = mediaTypes(sizes);
  return clients.map((client, index) => {
    const type = types[index] ?? 'video';
    return {
      type,
      ladder: ladderOf(sizes, type),
      sizes: sizes[type].map(({ bytes }) => bytes),
      client,
      next: 0,
      rung: -1,
      ready: false,
      inFlight: undefined,
    };
  });
}

/** Length of the shortest medium. */
export const mediaLengthMs = (media: readonly Medium[], segmentMs: number): number =>
  Math.min(...media.map(({ sizes }) => (sizes[0]?.length ?? 0) * segmentMs));

/** Cancels the request in flight. Its segment becomes the next one again. */
export function cancelRequest(medium: Medium): void {
  medium.client.abort();
  medium.next = medium.inFlight?.segment ?? medium.next;
  medium.inFlight = undefined;
}
