import { clamp } from '../core';
import { normalizeRanges } from './byte-ranges';
import type {
  ChunkObservation,
  EndedFlight,
  ObservedFlight,
  ObservedNetwork,
  ObservedObject,
} from './types';

/** Bounds on what is taken from one observation, whatever it says. */
const most = {
  networks: 32,
  objects: 64,
  flights: 1000,
  bytes: 1e15,
  rttMs: 60_000,
  requests: 1000,
  rateBps: 1e12,
} as const;

/** A number that must be there: no number counts as 0. */
function amount(value: number, high: number = most.bytes): number {
  return Number.isFinite(value) ? clamp(Math.trunc(value), 0, high) : 0;
}

/** A number that may be missing: an invalid one counts as missing. */
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

/** An object with a length to plan with, where there is one. */
export interface SizedObject extends ObservedObject {
  /** `totalBytes` is only expected. */
  isLengthGuessed: boolean;
}

export interface CleanObservation extends ChunkObservation {
  objects: readonly SizedObject[];
}

/** The observation without NaN, negative numbers, double names and endless lists. */
export function cleanObservation(observation: ChunkObservation): CleanObservation {
  const { nowMs, networks, objects, flights, ended } = observation;
  return {
    nowMs: Number.isFinite(nowMs) ? nowMs : 0,
    networks: distinct(networks, ({ networkId }) => networkId, most.networks).map(cleanNetwork),
    objects: distinct(objects, ({ objectId }) => objectId, most.objects).map(cleanObject),
    flights: cleanFlights(flights),
    ended: cleanFlights<EndedFlight>(ended),
  };
}

function cleanNetwork(network: ObservedNetwork): ObservedNetwork {
  const freeRequests = amount(network.freeRequests, most.requests);
  const { budgetBytes } = network;
  return {
    ...network,
    rttMs: known(network.rttMs, most.rttMs),
    rateHintBps: known(network.rateHintBps, most.rateBps),
    // A budget that cannot be read is one that is spent.
    budgetBytes: budgetBytes === undefined ? undefined : amount(budgetBytes),
    freeRequests,
    warmRequests: Math.min(freeRequests, amount(network.warmRequests, most.requests)),
  };
}

function cleanObject(object: ObservedObject): SizedObject {
  const given = known(object.totalBytes, most.bytes);
  const held = normalizeRanges(object.held);
  // Bytes without a length refute the guess: their answer should have given it.
  const mayGuess = given === undefined && object.ranges && held.length === 0;
  const guessed = mayGuess ? known(object.expectedBytes, most.bytes) : undefined;
  const isLengthGuessed = guessed !== undefined && guessed >= 1;
  const total = given ?? (isLengthGuessed ? guessed : undefined);
  const { neededAtMs } = object;
  return {
    ...object,
    totalBytes: total === undefined ? undefined : Math.trunc(total),
    isLengthGuessed,
    neededAtMs: Number.isFinite(neededAtMs) ? neededAtMs : undefined,
    held,
  };
}

function cleanFlights<Flight extends ObservedFlight>(flights: readonly Flight[]): Flight[] {
  return distinct(flights, ({ chunkId }) => String(chunkId), most.flights)
    .filter(({ chunkId }) => Number.isSafeInteger(chunkId))
    .map((flight) => ({
      ...flight,
      start: amount(flight.start),
      end: flight.end === null ? null : amount(flight.end),
      receivedBytes: amount(flight.receivedBytes),
    }));
}
