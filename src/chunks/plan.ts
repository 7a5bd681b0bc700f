import type { ChunkPurpose } from '../core';
import type { FlightTrack } from './flight-track';
import { restOf } from './flight-track';
import { FIRST_ANSWER_MS } from './network-track';
import {
  guessedBytes,
  isExcluded,
  missingRanges,
  owedBytes,
  roomOf,
  type ChunkRuleInput,
  type SeenNetwork,
  type SeenObject,
  type Wish,
} from './seen';
import type { ByteRange } from './types';
import type { ChunkConfig } from './config';

/** A network during a decision. The requests of this decision are counted already. */
export interface Worker extends SeenNetwork {
  freeRequests: number;
  requests: number;
}

/** A decision in the making. */
export interface ChunkPlan<Config extends ChunkConfig = ChunkConfig> {
  seen: ChunkRuleInput<Config>;
  workers: Worker[];
  /** Flights whose bytes are not requested from another network. */
  counted: FlightTrack[];
  cancelled: Set<number>;
  wishes: Wish[];
}

/** Requests for an object whose answer its server holds back: one over each of two networks, or two connections. */
const HELD_COPIES = 2;
/** The first of them is given this time. */
const HELD_PATIENCE_MS = FIRST_ANSWER_MS;

/** @param counts true if a request is expected to deliver its bytes; default: every one */
export function beginPlan<Config extends ChunkConfig>(
  seen: ChunkRuleInput<Config>,
  counts: (flight: FlightTrack, network: SeenNetwork) => boolean = () => true,
): ChunkPlan<Config> {
  const workers = seen.networks.map((network) => ({
    ...network,
    requests: network.flights.filter(({ held }) => held !== true).length,
  }));
  const copiesOf = (objectId: string): number =>
    seen.objects.find((object) => object.objectId === objectId)?.flights.length ?? 0;
  const counted = workers.flatMap((worker) =>
    worker.flights.filter((flight) => {
      if (flight.held !== true) return counts(flight, worker);
      const isLate = seen.nowMs - flight.sentMs > HELD_PATIENCE_MS;
      return !isLate || copiesOf(flight.objectId) >= HELD_COPIES;
    }),
  );
  return { seen, workers, counted, cancelled: new Set(), wishes: [] };
}

/** A network that has faded gets probes only. */
export function isUsable({ track }: SeenNetwork): boolean {
  return track.health !== 'faded';
}

/** Usable networks that may fetch an object, now or after one of their requests ends. */
export function workersFor({ workers }: ChunkPlan, object: SeenObject): Worker[] {
  return workers.filter((worker) => {
    const { freeRequests, requests, networkId } = worker;
    return isUsable(worker) && freeRequests + requests > 0 && !isExcluded(object, networkId);
  });
}

/** The network of a request. */
export const ownerOf = (
  { workers }: ChunkPlan,
  { networkId }: Pick<FlightTrack, 'networkId'>,
): Worker | undefined => workers.find((worker) => worker.networkId === networkId);

/** Time until a network has brought this many bytes of a new request. */
export const timeFor = (
  { readyMs, rateBps }: Pick<Worker, 'readyMs' | 'rateBps'>,
  bytes: number,
): number => readyMs + (bytes * 8000) / rateBps;

/** The ranges of an object that no usable network fetches. */
export function missingOf({ counted }: ChunkPlan, object: SeenObject): ByteRange[] {
  const own = counted.filter(({ objectId }) => objectId === object.objectId);
  return missingRanges(object, own);
}

export function cancel(plan: ChunkPlan, flight: FlightTrack, reason: string): void {
  if (plan.cancelled.has(flight.chunkId)) return;
  plan.cancelled.add(flight.chunkId);
  plan.counted = plan.counted.filter((one) => one !== flight);
  plan.wishes.push({ kind: 'cancel', chunkId: flight.chunkId, reason });
  const worker = ownerOf(plan, flight);
  if (worker === undefined) return;
  worker.freeRequests += 1;
  // A held request is neither in the count nor in the backlog.
  if (flight.held !== true) {
    worker.requests -= 1;
    const object = plan.seen.objects.find(({ objectId }) => objectId === flight.objectId);
    const rest = restOf(flight, object?.totalBytes);
    worker.backlogBytes = Math.max(0, worker.backlogBytes - (rest.end - rest.start));
  }
  Object.assign(worker, roomOf(worker, plan.seen.config));
}

export interface Piece {
  object: SeenObject;
  start: number;
  end: number | null;
  purpose: ChunkPurpose;
  duplicateOf?: number;
  reason: string;
}

/** Requests a piece, and counts its bytes as expected. */
export function assign(plan: ChunkPlan, worker: Worker, piece: Piece): void {
  const { object, start, end, ...rest } = piece;
  const bytes = (end ?? object.totalBytes ?? guessedBytes(object, worker.chunkBytes)) - start;
  const finishMs = timeFor(worker, bytes);
  const { networkId } = worker;
  const { objectId } = object;
  plan.wishes.push({
    kind: 'fetch',
    objectId,
    networkId,
    start,
    end,
    forecastMs: finishMs,
    ...rest,
  });
  worker.freeRequests -= 1;
  worker.requests += 1;
  worker.backlogBytes += bytes;
  worker.allowanceBytes = Math.max(0, worker.allowanceBytes - bytes);
  Object.assign(worker, roomOf(worker, plan.seen.config));
  const { nowMs } = plan.seen;
  const times = { sentMs: nowMs, progressMs: nowMs, forecastMs: nowMs + finishMs };
  const flight = { chunkId: -plan.wishes.length, objectId, networkId, start, end };
  // A probe of a silent network may deliver nothing, so its bytes are not expected.
  if (rest.purpose !== 'probe' || isUsable(worker)) {
    plan.counted.push({ ...flight, ...times, purpose: rest.purpose, receivedBytes: 0 });
  }
}

/** Round trips without a byte that are no delay: the answer may have to come, and one packet again. */
const SILENCE_ROUND_TRIPS = 2;

/** Time until a flight should be complete at its network's present rate. */
export function finishOf(plan: ChunkPlan, flight: FlightTrack): number {
  const worker = ownerOf(plan, flight);
  if (worker === undefined) return Infinity;
  const { nowMs, objects } = plan.seen;
  const before = plan.counted.filter(
    (one) => one.networkId === flight.networkId && one.sentMs <= flight.sentMs && one.held !== true,
  );
  // A request of unknown length never ends by itself. One ahead of it only delays it, so its guess counts.
  const object = objects.find(({ objectId }) => objectId === flight.objectId);
  const rest = restOf(flight, object?.totalBytes);
  let bytes = rest.end - rest.start;
  for (const one of before) if (one !== flight) bytes += owedBytes(one, objects);
  const answerMs = flight.receivedBytes > 0 ? 0 : Math.max(0, flight.sentMs + worker.rttMs - nowMs);
  const silentMs = Math.max(0, nowMs - flight.progressMs - SILENCE_ROUND_TRIPS * worker.rttMs);
  return Math.max(answerMs, 0) + (bytes * 8000) / worker.rateBps + silentMs;
}
