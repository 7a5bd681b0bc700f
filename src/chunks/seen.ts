import type { ChunkPurpose } from '../core';
import type { SizedObject } from './sanitize';
import { coveredTimes, subtractRanges } from './byte-ranges';
import type { ChunkConfig } from './config';
import { hasEnd, restOf, type FlightTrack } from './flight-track';
import {
  FIRST_ANSWER_MS,
  pauseMsOf,
  rateOf,
  rttOf,
  silenceLimitMs,
  type NetworkTrack,
} from './network-track';
import type { ByteRange, ChunkObservation, ObservedNetwork, ObservedObject } from './types';

/** A network in the view of a rule. */
export interface SeenNetwork extends ObservedNetwork {
  track: NetworkTrack;
  /** Expected goodput. */
  rateBps: number;
  /** Shortest round trip. */
  rttMs: number;
  flights: readonly FlightTrack[];
  /** Bytes that it delivered since the last observation. */
  stepBytes: number;
  /** Bytes of its flights that have not arrived yet. */
  backlogBytes: number;
  /** Time until an idle network answers: a round trip, plus a handshake if no connection is open. */
  answerMs: number;
  /** Time until a request sent now delivers its first byte: a round trip, or longer if others precede it. */
  readyMs: number;
  /** Its present chunk size. */
  chunkBytes: number;
  /** Requests in flight at most. */
  maxRequests: number;
  /** Another request may be sent: it waits behind others only as long as needed to hide its round trip. */
  hasRoom: boolean;
  /** Bytes that may still be requested over it. */
  allowanceBytes: number;
}

export interface SeenObject extends SizedObject {
  flights: readonly FlightTrack[];
  /** It was asked for, now or before, and has no byte yet. */
  isWaiting: boolean;
}

/** Input of a rule: the sanitized observation and the scheduler's own clock. */
export interface ChunkRuleInput<Config> {
  config: Config;
  /** Time since the first observation. A clock jump moves it by a second at most, never back. */
  nowMs: number;
  stepMs: number;
  /** Requests that failed since the observation before. */
  failed: readonly FlightTrack[];
  /** Those that are up. */
  networks: readonly SeenNetwork[];
  objects: readonly SeenObject[];
}

/** A rule's request; `settle` bounds it before it becomes an action. */
export type Wish =
  | {
      kind: 'fetch';
      objectId: string;
      networkId: string;
      start: number;
      end: number | null;
      purpose: ChunkPurpose;
      duplicateOf?: number | undefined;
      /** Time until it should be complete. */
      forecastMs: number;
      reason: string;
    }
  | { kind: 'cancel'; chunkId: number; reason: string };

export function seeNetwork(
  observed: ObservedNetwork,
  track: NetworkTrack,
  flights: readonly FlightTrack[],
  { objects }: Pick<ChunkObservation, 'objects'>,
  config: ChunkConfig,
): Omit<SeenNetwork, 'stepBytes'> {
  const rateBps = rateOf(track, observed.rateHintBps, config);
  const rttMs = rttOf(track, observed, config);
  const busy = flights.filter(({ held }) => held !== true);
  const owedBy = (some: readonly FlightTrack[]): number =>
    some.reduce((sum, flight) => sum + owedBytes(flight, objects), 0);
  const backlogBytes = owedBy(busy);
  const answerMs = (observed.warmRequests > 0 ? 1 : COLD_ROUND_TRIPS) * rttMs;
  return {
    ...observed,
    track,
    rateBps,
    rttMs,
    flights,
    backlogBytes,
    answerMs,
    ...roomOf(
      {
        freeRequests: observed.freeRequests,
        separateConnections: observed.separateConnections,
        requests: busy.length,
        backlogBytes,
        answerMs,
        rateBps,
        rttMs,
      },
      config,
    ),
    chunkBytes: chunkBytesFor(track, rateBps, rttMs, config),
    // An answer that is held back comes too.
    allowanceBytes: Math.max(0, (observed.budgetBytes ?? Infinity) - owedBy(flights)),
  };
}

interface LongPath {
  /** It takes more bytes than this. */
  bytes: number;
  /** Its round trip is longer than this. */
  rttMs: number;
}

/**
 * On a long path a server that waits for its next request sends a burst of a whole window then, which the queue of a
 * router may not hold: the window stays below what the path takes. So one more request is in flight there, and none waits
 * for the end of another one. Over HTTP/1.1 each connection waits between two answers: a path is long that takes more than
 * two first windows (RFC 6928). Over HTTP/2 few do; at 20 ms the rule cost 8 %. Measured on 40 and 15 Mbit/s with 50 and
 * 70 ms: 23 and 25 Mbit/s without this rule, 32 and 33 with it.
 */
export const LONG_PATH: Readonly<Record<'http1' | 'http2', LongPath>> = {
  http1: { bytes: 30_000, rttMs: 0 },
  http2: { bytes: 60_000, rttMs: 40 },
};

/**
 * A round trip above which a path counts as long whatever it carries yet, and one connection carries its requests from the
 * start. The rate is low only because slow start has taken few round trips, and a request that waits for the end of another
 * one leaves the connection idle for a part of each. README: far paths, with and without.
 */
export const FAR_RTT_MS = 150;

/** Tells whether another request may be sent over a network, and when its first byte could arrive. */
export function roomOf(
  network: Pick<
    SeenNetwork,
    'answerMs' | 'backlogBytes' | 'freeRequests' | 'rateBps' | 'rttMs' | 'separateConnections'
  > & { requests: number },
  { requestsPerNetwork, leadRoundTrips, leadMs }: ChunkConfig,
): Pick<SeenNetwork, 'hasRoom' | 'maxRequests' | 'readyMs'> {
  const { answerMs, freeRequests, rateBps, requests, rttMs, separateConnections } = network;
  const backlogMs = (network.backlogBytes * 8000) / rateBps;
  const long = separateConnections === true ? LONG_PATH.http1 : LONG_PATH.http2;
  const isFull = rateBps * rttMs > 8000 * long.bytes && rttMs > long.rttMs;
  const isLong = isFull || rttMs > FAR_RTT_MS;
  const maxRequests = requestsPerNetwork + (isLong ? 1 : 0);
  const isDue = requests === 0 || isLong || backlogMs <= leadRoundTrips * rttMs + leadMs;
  return {
    maxRequests,
    readyMs: Math.max(answerMs, backlogMs),
    hasRoom: freeRequests > 0 && requests < maxRequests && isDue,
  };
}

/** The handshake of TCP and the request; TLS 1.3 takes one more round trip. */
const COLD_ROUND_TRIPS = 2;
/** Bytes that a request owes at most while neither its length nor its end is known. Chosen; no measurement. */
const UNKNOWN_BYTES = 100_000;

/**
 * Bytes of a request that have not arrived; a guess while its length is unknown. A segment that is still being written comes at
 * its encoder's pace, and leaves the rest of the network's rate to others.
 */
export function owedBytes(flight: FlightTrack, objects: readonly ObservedObject[]): number {
  const object = objects.find(({ objectId }) => objectId === flight.objectId);
  const rest = restOf(flight, object?.totalBytes);
  if (hasEnd(rest)) return rest.end - rest.start;
  if (object?.grownAtMs === undefined || flight.receivedBytes === 0) {
    return guessedBytes(object, UNKNOWN_BYTES);
  }
  return flight.growing === true ? 0 : unwrittenBytes(flight, object);
}

/**
 * An answer that has less than this share of the bytes that are written is behind, once it lacks as large a share of its object.
 * A segment may be a fraction of its guess, and a far network takes its time to begin. Chosen; no measurement.
 */
const BEHIND_SHARE = 0.25;

/**
 * True if an answer without a length lacks bytes that its server has written: all of them once `grownAtMs` is over, and until
 * then as many as a steady encoder has written since the request. Its network is slow then, not the encoder.
 */
export function isBehind(
  { sentMs, receivedBytes }: Pick<FlightTrack, 'sentMs' | 'receivedBytes'>,
  { expectedBytes, grownAtMs }: Pick<ObservedObject, 'expectedBytes' | 'grownAtMs'>,
  nowMs: number,
): boolean {
  if (grownAtMs === undefined || expectedBytes === undefined) return false;
  if (grownAtMs <= nowMs) return true;
  const writtenBytes = (expectedBytes * (nowMs - sentMs)) / (grownAtMs - sentMs);
  const isLate = writtenBytes - receivedBytes > BEHIND_SHARE * expectedBytes;
  return isLate && receivedBytes < BEHIND_SHARE * writtenBytes;
}

/** Bytes of an answer without a length that have not arrived, by the guess of its object's length. */
export const unwrittenBytes = (
  { start, receivedBytes }: Pick<FlightTrack, 'start' | 'receivedBytes'>,
  { expectedBytes = 0 }: Pick<ObservedObject, 'expectedBytes'>,
): number => Math.max(0, expectedBytes - start - receivedBytes);

/** True if playback waits for the object. */
export const isDue = ({ neededAtMs }: Pick<ObservedObject, 'neededAtMs'>, nowMs: number): boolean =>
  (neededAtMs ?? nowMs) <= nowMs;

/**
 * The last chunk of a guessed length reaches further by this factor. The server cuts it, and a short
 * guess leaves no small rest.
 */
export const GUESS_MARGIN = 1.25;

/**
 * Bytes that one request for a whole object of unknown length counts for: the guess, `mostBytes` at most. A segment that
 * is still being written comes at its encoder's pace, so its guess is no backlog.
 */
export function guessedBytes(
  object: Pick<ObservedObject, 'expectedBytes'> | undefined,
  mostBytes: number,
): number {
  return Math.min(object?.expectedBytes ?? mostBytes, mostBytes);
}

/** A chunk is at most this multiple of the largest that arrived: slow start doubles too (RFC 5681, section 3.1). */
const CHUNK_GROWTH = 2;

function chunkBytesFor(
  track: NetworkTrack,
  rateBps: number,
  rttMs: number,
  config: ChunkConfig,
): number {
  const lastsMs = Math.max(config.chunkMs, config.chunkRoundTrips * rttMs);
  const grownBytes = Math.max(config.firstChunkBytes, CHUNK_GROWTH * track.provenBytes);
  const bytes = Math.min((rateBps * lastsMs) / 8000, grownBytes, config.maxChunkBytes);
  return Math.round(Math.max(config.minChunkBytes, bytes));
}

/** A flight is stuck after this multiple of its network's permitted silence. Chosen; no measurement. */
const STUCK_LIMITS = 2;

/**
 * True if a flight receives nothing although its network does, for example after timeouts of its own connection. An
 * answer that has not begun may wait for its server.
 */
export function isStuck(
  flight: FlightTrack,
  network: SeenNetwork,
  { nowMs, config }: Pick<ChunkRuleInput<ChunkConfig>, 'nowMs' | 'config'>,
): boolean {
  if (flight.held === true) return false;
  const silentMs = silenceLimitMs(network.track, { rttMs: network.rttMs, config });
  const limitMs = flight.receivedBytes > 0 ? silentMs : Math.max(silentMs, FIRST_ANSWER_MS);
  return nowMs - flight.progressMs > STUCK_LIMITS * (limitMs + network.rttMs + pauseMsOf(flight));
}

/** Ranges of an object that are neither received nor requested. Empty while its length is unknown. */
export function missingRanges(
  object: ObservedObject,
  flights: readonly FlightTrack[],
): ByteRange[] {
  const { totalBytes: total, received } = object;
  if (total === undefined) return [];
  const rests = flights.map((flight) => restOf(flight, total));
  const taken = coveredTimes([...received, ...rests], 1);
  return subtractRanges({ start: 0, end: total }, taken);
}

export function isExcluded({ excluded }: ObservedObject, networkId: string): boolean {
  return excluded?.includes(networkId) === true;
}
