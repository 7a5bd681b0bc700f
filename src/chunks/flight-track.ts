import { clamp, type ChunkPurpose } from '../core';
import { overlapBytes } from './byte-ranges';
import {
  HARMLESS_FAILURES,
  type ByteRange,
  type ChunkObservation,
  type ObservedFlight,
  type ObservedObject,
} from './types';

/** The record of a request in flight, in times of the scheduler's own clock. */
export interface FlightTrack {
  chunkId: number;
  objectId: string;
  networkId: string;
  start: number;
  end: number | null;
  purpose: ChunkPurpose;
  sentMs: number;
  receivedBytes: number;
  /** Time of the latest byte; the time of sending before the first. */
  progressMs: number;
  /** Expected completion at the time of sending. */
  forecastMs: number;
  /** The server pauses while it has no more of the object, so silence is not the network's. */
  growing?: boolean;
  /** The server holds the object back ({@link WaitingObject}). */
  held?: boolean;
}

/** The progress of one flight in one step. */
export interface FlightStep {
  track: FlightTrack;
  bytes: number;
  /** Delay of the first byte, if it arrived in this step and the driver's times are plausible. */
  responseMs: number | undefined;
  /** Undefined: still in flight. */
  ended: 'done' | 'failed' | 'cancelled' | undefined;
  /** Time since its end. */
  endedAgoMs: number;
}

/** A longer delay is not a response time. */
const MAX_RESPONSE_MS = 60_000;

/** Updates the tracks to the observation: one for each observed flight, and a last step for each that ended. */
export function stepFlights(
  tracks: readonly FlightTrack[],
  { nowMs: observedMs, flights, ended }: ChunkObservation,
  nowMs: number,
): FlightStep[] {
  const byId = new Map(tracks.map((track) => [track.chunkId, track]));
  const step = (flight: ObservedFlight): FlightStep => {
    const old = byId.get(flight.chunkId) ?? adopt(flight, nowMs);
    const bytes = Math.max(0, flight.receivedBytes - old.receivedBytes);
    const track = {
      ...old,
      receivedBytes: flight.receivedBytes,
      progressMs: bytes > 0 ? nowMs : old.progressMs,
      // A probe of its beginning asks for bytes that are there.
      growing: flight.growing === true && (old.purpose !== 'probe' || old.end === null),
    };
    const responseMs = old.receivedBytes === 0 && bytes > 0 ? responseOf(flight) : undefined;
    return { track, bytes, responseMs, ended: undefined, endedAgoMs: 0 };
  };
  const endedIds = new Set(ended.map(({ chunkId }) => chunkId));
  return [
    ...flights.filter(({ chunkId }) => !endedIds.has(chunkId)).map(step),
    // A flight that ended twice, or was never requested, has no track and delivers nothing.
    ...ended
      .filter(({ chunkId }) => byId.has(chunkId))
      .map((flight) => {
        const agoMs = observedMs - flight.endMs;
        const endedAgoMs = Number.isFinite(agoMs) ? clamp(agoMs, 0, MAX_RESPONSE_MS) : 0;
        // Another version is no fault of the network: a CDN's edges may differ.
        const isHarmless =
          flight.failure !== undefined && HARMLESS_FAILURES.includes(flight.failure);
        return { ...step(flight), ended: isHarmless ? 'cancelled' : flight.outcome, endedAgoMs };
      }),
  ];
}

/** Bytes that the flight has not delivered yet. */
export function restOf(
  { start, end, receivedBytes }: Pick<FlightTrack, 'start' | 'end' | 'receivedBytes'>,
  totalBytes: number | undefined,
): ByteRange {
  const last = Math.min(end ?? Number.MAX_SAFE_INTEGER, totalBytes ?? Number.MAX_SAFE_INTEGER);
  const from = start + receivedBytes;
  return { start: Math.min(from, last), end: last };
}

/** True if two requests for an object bring the same bytes. */
export const overlaps = (
  a: FlightTrack,
  b: FlightTrack,
  { totalBytes }: Pick<ObservedObject, 'totalBytes'>,
): boolean => overlapBytes(restOf(a, totalBytes), restOf(b, totalBytes)) > 0;

/** False for the rest of an answer whose length is unknown. */
export const hasEnd = ({ end }: ByteRange): boolean => end < Number.MAX_SAFE_INTEGER;

/** A flight that was not observed before, or not recently. Its earlier bytes are not a sample of the rate. */
function adopt(flight: ObservedFlight, nowMs: number): FlightTrack {
  const { chunkId, objectId, networkId, start, end, receivedBytes } = flight;
  const sent = { sentMs: nowMs, progressMs: nowMs, forecastMs: nowMs, receivedBytes };
  return { chunkId, objectId, networkId, start, end, purpose: 'media', ...sent };
}

function responseOf({ sentMs, firstByteMs }: ObservedFlight): number | undefined {
  const responseMs = (firstByteMs ?? NaN) - sentMs;
  return responseMs >= 0 && responseMs <= MAX_RESPONSE_MS ? responseMs : undefined;
}
