import type { Ladder, MediaType } from '../../core';
import type { MediaSizes } from '../../scenario';
import type { Simulation } from '../engine/simulation';
import type { MptcpConnection, MptcpOptions } from '../mptcp/connection';
import { HttpClient, type Exchange } from './http-client';

/** Where a segment is being fetched from. */
export interface SegmentPlace {
  rung: number;
  /** From 0. */
  segment: number;
}

/** One medium of a session: what there is of it and how far it is. */
export interface Medium {
  type: MediaType;
  ladder: Ladder;
  /** Bytes by rung, then by segment. */
  sizes: readonly (readonly number[])[];
  http: HttpClient;
  /** The next segment to ask for. */
  next: number;
  /** Of the last one asked for; -1 before the first. */
  rung: number;
  /** Its init segment is here. */
  ready: boolean;
  inFlight: (SegmentPlace & { exchange: Exchange }) | undefined;
}

/** Bytes of the next segments by rung, next first; fewer where the film ends. */
export function nextBytes(medium: Medium, count: number): number[][] {
  return Array.from({ length: count }, (_, ahead) =>
    medium.sizes.map((bytes) => bytes[medium.next + ahead] ?? -1),
  ).filter((sizes) => sizes.every((bytes) => bytes >= 0));
}

export interface MediaOptions {
  sizes: MediaSizes;
  connection: Omit<MptcpOptions, 'flow'>;
  /** Where the numbers of its flows begin. */
  flow: number;
  /** Numbers requests. */
  nextId: () => number;
  /** Paths that a new connection begins with, by index. */
  order: () => readonly number[];
  /** Told every connection that is made. */
  onOpen: (connection: MptcpConnection) => void;
}

/** Video and, where there is any, audio, each with a connection of its own, as browsers have them. */
export function createMedia(simulation: Simulation, options: MediaOptions): Medium[] {
  const { sizes, flow, connection, nextId, order, onOpen } = options;
  const types: MediaType[] = sizes.audio.length > 0 ? ['video', 'audio'] : ['video'];
  return types.map((type, index) => ({
    type,
    ladder: {
      mediaType: type,
      rungs: sizes[type].map(({ bitrateBps }, rung) => ({
        index: rung,
        representationId: `${type}-${String(rung)}`,
        bitrateBps,
      })),
    },
    sizes: sizes[type].map(({ bytes }) => bytes),
    http: new HttpClient(
      simulation,
      { ...connection, flow: flow + 1000 * (index + 1) },
      nextId,
      order,
      onOpen,
    ),
    next: 0,
    rung: -1,
    ready: false,
    inFlight: undefined,
  }));
}
