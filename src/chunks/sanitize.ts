import { clamp } from '../core';
import { normalizeRanges } from './byte-ranges';
import type {
  ChunkObservation,
  EndedFlight,
  ObservedFlight,
  ObservedNetwork,
  ObservedObject,
} from './types';

/** Bounds on the input from one observation. */
const most = {
  networks: 32,
  objects: 64,
  flights: 1000,
  bytes: 1e15,
  rttMs: 60_000,
  requests: 1000,
  rateBps: 1e12,
} as const;

/** A required number: an invalid one counts as 0. */
function amount(value: number, high: number = most.bytes): number {
  return Number.isFinite(value) ? clamp(Math.trunc(value), 0, high) : 0;
}

/** An optional number: an invalid one counts as missing. */
function known(value: number | undefined, high: number): number | undefined {
  return value !== undefined && value >= 0 && value <= high ? value : undefined;
}

function distinct<T>(items: readonly T[], idOf: (item: T) => string, limit: number): T[] {
  const byId = new Map<string, T>();
  for (const item of items) {
    if (byId.size < limit && !byId.has(idOf(item))) byId.set(idOf(item), item);
  }
  return [...byId.values()];
}

/** An object whose length is known or guessed. */
export interface SizedObject extends ObservedObject {
  /** `totalBytes` is a guess. */
  isLengthGuessed: boolean;
}

export interface SanitizedObservation extends ChunkObservation {
  objects: readonly SizedObject[];
}

/** The observation without NaN, negative numbers, duplicate names and oversized lists. */
export function sanitizeObservation(observation: ChunkObservation): SanitizedObservation {
  const { networks, objects, flights, ended } = observation;
  const nowMs = Number.isFinite(observation.nowMs) ? observation.nowMs : 0;
  // An object that its server has written comes at its network's pace.
  const grown = objects.filter(({ grownAtMs = Infinity }) => grownAtMs <= nowMs);
  const isGrown = (flight: ObservedFlight): boolean =>
    grown.some(({ objectId }) => objectId === flight.objectId);
  return {
    nowMs,
    networks: distinct(networks, ({ networkId }) => networkId, most.networks).map(sanitizeNetwork),
    objects: distinct(objects, ({ objectId }) => objectId, most.objects).map(sanitizeObject),
    flights: sanitizeFlights(flights, isGrown),
    ended: sanitizeFlights<EndedFlight>(ended, isGrown),
  };
}

function sanitizeNetwork(network: ObservedNetwork): ObservedNetwork {
  const freeRequests = amount(network.freeRequests, most.requests);
  const { budgetBytes } = network;
  return {
    ...network,
    rttMs: known(network.rttMs, most.rttMs),
    rateHintBps: known(network.rateHintBps, most.rateBps),
    // An unreadable budget counts as spent.
    budgetBytes: budgetBytes === undefined ? undefined : amount(budgetBytes),
    freeRequests,
    warmRequests: Math.min(freeRequests, amount(network.warmRequests, most.requests)),
  };
}

function sanitizeObject(object: ObservedObject): SizedObject {
  const given = known(object.totalBytes, most.bytes);
  const received = normalizeRanges(object.received);
  // Held bytes without a length refute the guess: their answer should have given the length.
  const mayGuess = given === undefined && object.ranges && received.length === 0;
  const expectedBytes = known(object.expectedBytes, most.bytes);
  const guessed = mayGuess ? expectedBytes : undefined;
  const isLengthGuessed = guessed !== undefined && guessed >= 1;
  const total = given ?? (isLengthGuessed ? guessed : undefined);
  const { grownAtMs, neededAtMs } = object;
  return {
    ...object,
    totalBytes: total === undefined ? undefined : Math.trunc(total),
    expectedBytes,
    isLengthGuessed,
    neededAtMs: Number.isFinite(neededAtMs) ? neededAtMs : undefined,
    grownAtMs: Number.isFinite(grownAtMs) ? grownAtMs : undefined,
    received,
  };
}

function sanitizeFlights<Flight extends ObservedFlight>(
  flights: readonly Flight[],
  isGrown: (flight: Flight) => boolean,
): Flight[] {
  return distinct(flights, ({ chunkId }) => String(chunkId), most.flights)
    .filter(({ chunkId }) => Number.isSafeInteger(chunkId))
    .map((flight) => ({
      ...flight,
      start: amount(flight.start),
      end: flight.end === null ? null : amount(flight.end),
      receivedBytes: amount(flight.receivedBytes),
      growing: flight.growing === true && !isGrown(flight),
    }));
}
