import { coveredTimes, subtractRanges } from './byte-ranges';
import type { ChunkConfig } from './config';
import { restOf, type FlightTrack } from './flight-track';
import {
  isExcluded,
  type ChunkRuleInput,
  type SeenNetwork,
  type SeenObject,
  type Wish,
} from './seen';
import type { ByteRange, ChunkAction, FetchAction } from './types';

/** Largest number of simultaneous requests for the same byte. Two networks that trickle hold two, and a third one may be well. */
const MAX_COPIES = 3;

type FetchWish = Extract<Wish, { kind: 'fetch' }>;

export interface Settled {
  actions: ChunkAction[];
  flights: FlightTrack[];
  nextChunkId: number;
}

/**
 * Turns a rule's requests into valid actions. A network that is out, excluded, without a free request or over its
 * budget gets none. No byte is requested once it is received, or in more than three requests. Only requests in flight are
 * cancelled.
 */
export function settle<Config extends ChunkConfig>(
  wishes: readonly Wish[],
  seen: ChunkRuleInput<Config>,
  nextChunkId: number,
): Settled {
  let flights = seen.networks.flatMap((network) => network.flights);
  const free = new Map(seen.networks.map((network) => [network.networkId, network.freeRequests]));
  const left = new Map(seen.networks.map((network) => [network.networkId, network.allowanceBytes]));
  const actions: ChunkAction[] = [];
  let chunkId = nextChunkId;
  for (const wish of wishes) {
    if (wish.kind === 'cancel') {
      const flight = flights.find((one) => one.chunkId === wish.chunkId);
      if (flight === undefined) continue;
      flights = flights.filter((one) => one !== flight);
      free.set(flight.networkId, (free.get(flight.networkId) ?? 0) + 1);
      actions.push(wish);
      continue;
    }
    const network = seen.networks.find(({ networkId }) => networkId === wish.networkId);
    const object = seen.objects.find(({ objectId }) => objectId === wish.objectId);
    if (network === undefined || object === undefined) continue;
    const allowance = left.get(wish.networkId) ?? 0;
    const range = permitted(wish, network, object, flights, allowance);
    if (range === undefined || (free.get(wish.networkId) ?? 0) < 1) continue;
    free.set(wish.networkId, (free.get(wish.networkId) ?? 0) - 1);
    const bytes = (range.end ?? object.totalBytes ?? Infinity) - range.start;
    left.set(wish.networkId, allowance - bytes);
    const action = toAction(wish, range, chunkId);
    actions.push(action);
    flights = [...flights, toTrack(action, seen.nowMs, wish.forecastMs)];
    chunkId += 1;
  }
  return { actions, flights, nextChunkId: chunkId };
}

/** The permitted part of a request: from its start on, the missing bytes in one piece. */
function permitted(
  wish: FetchWish,
  network: SeenNetwork,
  object: SeenObject,
  flights: readonly FlightTrack[],
  allowance: number,
): { start: number; end: number | null } | undefined {
  if (network.state !== 'up' || isExcluded(object, network.networkId)) return undefined;
  const total = object.isLengthGuessed ? undefined : object.totalBytes;
  const own = flights.filter(({ objectId }) => objectId === object.objectId);
  if (!object.ranges) {
    if (own.length >= MAX_COPIES || !((total ?? Infinity) <= allowance || allowance === Infinity)) {
      return undefined;
    }
    // Once the server has written all of it, its rest may be asked for.
    const start = object.grownAtMs === undefined ? 0 : Math.max(0, Math.trunc(wish.start));
    // A probe takes only the beginning of the answer.
    return { start, end: wish.purpose === 'probe' ? wish.end : null };
  }
  const wanted = { start: Math.max(0, Math.trunc(wish.start)), end: wish.end ?? total ?? null };
  if (wanted.end === null) return allowance === Infinity ? { ...wanted, end: null } : undefined;
  const end = Math.min(Math.trunc(wanted.end), total ?? Infinity);
  const taken = coveredTimes(
    own.map((flight) => restOf(flight, total)),
    MAX_COPIES,
  );
  const holes = coveredTimes([...object.received, ...taken], 1);
  const first: ByteRange | undefined = subtractRanges({ start: wanted.start, end }, holes)[0];
  if (first === undefined) return undefined;
  const bounded = { start: first.start, end: Math.min(first.end, first.start + allowance) };
  return bounded.end > bounded.start ? bounded : undefined;
}

function toAction(
  wish: FetchWish,
  { start, end }: { start: number; end: number | null },
  chunkId: number,
): FetchAction {
  const { objectId, networkId, purpose, duplicateOf, reason } = wish;
  return {
    kind: 'fetch',
    chunkId,
    objectId,
    networkId,
    start,
    end,
    purpose,
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    reason,
  };
}

function toTrack(action: FetchAction, nowMs: number, forecastMs: number): FlightTrack {
  const { chunkId, objectId, networkId, start, end, purpose } = action;
  const times = { sentMs: nowMs, progressMs: nowMs, forecastMs: nowMs + forecastMs };
  return { chunkId, objectId, networkId, start, end, purpose, ...times, receivedBytes: 0 };
}
