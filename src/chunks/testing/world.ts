import { normalizeRanges, totalBytes } from '../byte-ranges';
import type {
  ByteRange,
  ChunkAction,
  ChunkObservation,
  EndedFlight,
  FailureKind,
  FetchAction,
  ObservedFlight,
} from '../types';
import type { ConfiguredChunkScheduler } from '../registry';

/** State of a network from some time on. */
export interface Phase {
  fromMs: number;
  rateBps: number;
  isUp: boolean;
}

export interface WorldNetwork {
  networkId: string;
  rttMs: number;
  /** The scheduler is not told the round trip, as before the first handshake. */
  isRttUnknown?: boolean;
  phases: readonly Phase[];
  /** The server's own time for an answer. Default 0. */
  answerMs?: number;
  costly?: boolean;
  budgetBytes?: number;
}

export interface WorldObject {
  objectId: string;
  bytes: number;
  /** Announced at. */
  atMs: number;
  /** Time after its announcement until it is needed. */
  neededInMs?: number;
  ranges?: boolean;
  /** The scheduler learns the length with the first byte. */
  isLengthKnown?: boolean;
  expectedBytes?: number;
  /** The server's own time for an answer, beside the network's. Default 0. */
  answerMs?: number;
  excluded?: readonly string[];
}

export interface WorldOptions {
  scheduler: ConfiguredChunkScheduler;
  networks: readonly WorldNetwork[];
  objects: readonly WorldObject[];
  /** Breaks a request, by its place among those in flight. */
  failures?: readonly { atMs: number; place: number; kind: FailureKind }[];
  untilMs: number;
  /** Falsifies an observation before the scheduler gets it. */
  spoil?: (observation: ChunkObservation, step: number) => ChunkObservation;
  /** Receives every decision with its observation, and the requests in flight before its actions are executed. */
  watch?: (observation: ChunkObservation, actions: readonly ChunkAction[]) => void;
}

const STEP_MS = 50;
const CONNECTIONS = 3;

interface Held {
  object: WorldObject;
  ranges: ByteRange[];
  isLengthKnown: boolean;
}

export interface WorldResult {
  /** Time at which each object was complete. */
  doneMs: Map<string, number>;
  /** Bytes delivered over each network. */
  networkBytes: Map<string, number>;
  duplicateBytes: number;
  actions: readonly ChunkAction[];
}

/** A fluid model of networks and of a scheduler's driver. Requests of a network share its rate. */
export function runWorld(options: WorldOptions): WorldResult {
  const { scheduler, networks, untilMs } = options;
  let state = scheduler.initial();
  const received = new Map<string, Held>();
  let flights: ObservedFlight[] = [];
  let ended: EndedFlight[] = [];
  const result = {
    doneMs: new Map<string, number>(),
    networkBytes: new Map(networks.map(({ networkId }) => [networkId, 0])),
    duplicateBytes: 0,
    actions: [] as ChunkAction[],
  };
  const end = (
    flight: ObservedFlight,
    endMs: number,
    outcome: EndedFlight['outcome'],
    failure?: FailureKind,
  ): void => {
    flights = flights.filter((one) => one !== flight);
    ended.push({ ...flight, endMs, outcome, ...(failure === undefined ? {} : { failure }) });
  };
  for (let nowMs = 0, step = 0; nowMs <= untilMs; nowMs += STEP_MS, step += 1) {
    for (const object of options.objects) {
      if (object.atMs > nowMs || received.has(object.objectId)) continue;
      received.set(object.objectId, {
        object,
        ranges: [],
        isLengthKnown: object.isLengthKnown !== false,
      });
    }
    for (const network of networks) {
      const { rateBps, isUp } = phaseAt(network, nowMs);
      const own = flights.filter(({ networkId }) => networkId === network.networkId);
      if (!isUp) for (const flight of own) end(flight, nowMs, 'failed', 'lost');
      const active = own.filter(({ objectId, sentMs }) => {
        const serverMs = (network.answerMs ?? 0) + (received.get(objectId)?.object.answerMs ?? 0);
        return isUp && nowMs - sentMs >= network.rttMs + serverMs;
      });
      for (const flight of active) {
        const target = received.get(flight.objectId);
        if (target === undefined) continue;
        target.isLengthKnown = true;
        const last = Math.min(flight.end ?? Infinity, target.object.bytes);
        const from = flight.start + flight.receivedBytes;
        const share = Math.floor((rateBps * STEP_MS) / 8000 / active.length);
        const bytes = Math.max(0, Math.min(share, last - from));
        const before = totalBytes(target.ranges);
        target.ranges = normalizeRanges([...target.ranges, { start: from, end: from + bytes }]);
        result.duplicateBytes += bytes - (totalBytes(target.ranges) - before);
        const sum = (result.networkBytes.get(network.networkId) ?? 0) + bytes;
        result.networkBytes.set(network.networkId, sum);
        flight.receivedBytes += bytes;
        if (bytes > 0) flight.firstByteMs ??= nowMs;
        if (flight.start + flight.receivedBytes >= last) end(flight, nowMs, 'done');
      }
    }
    for (const { atMs, place, kind } of options.failures ?? []) {
      const flight = flights[place % Math.max(1, flights.length)];
      if (flight && atMs > nowMs - STEP_MS && atMs <= nowMs) end(flight, nowMs, 'failed', kind);
    }
    for (const { object, ranges } of received.values()) {
      const isDone = totalBytes(ranges) >= object.bytes;
      if (isDone && !result.doneMs.has(object.objectId)) result.doneMs.set(object.objectId, nowMs);
    }
    const observation: ChunkObservation = {
      nowMs,
      networks: networks.map((network) => {
        const { networkId, costly, budgetBytes } = network;
        const rttMs = network.isRttUnknown === true ? undefined : network.rttMs;
        const busy = flights.filter((flight) => flight.networkId === networkId).length;
        return {
          networkId,
          state: phaseAt(network, nowMs).isUp ? 'up' : 'out',
          ...(rttMs === undefined ? {} : { rttMs }),
          costly: costly ?? false,
          ...(budgetBytes === undefined
            ? {}
            : { budgetBytes: budgetBytes - (result.networkBytes.get(networkId) ?? 0) }),
          freeRequests: CONNECTIONS - busy,
          warmRequests: CONNECTIONS - busy,
        };
      }),
      objects: [...received.values()]
        .filter(({ object }) => !result.doneMs.has(object.objectId))
        .map(({ object, ranges, isLengthKnown }) => ({
          objectId: object.objectId,
          ...(isLengthKnown ? { totalBytes: object.bytes } : {}),
          expectedBytes: object.expectedBytes,
          ...(object.neededInMs === undefined
            ? {}
            : { neededAtMs: object.atMs + object.neededInMs }),
          ranges: object.ranges !== false,
          received: ranges,
          ...(object.excluded === undefined ? {} : { excluded: object.excluded }),
        })),
      flights: flights.map((flight) => ({ ...flight })),
      ended,
    };
    const seen = options.spoil?.(observation, step) ?? observation;
    const decision = scheduler.decide(state, seen);
    options.watch?.(observation, decision.actions);
    state = decision.state;
    ended = [];
    result.actions.push(...decision.actions);
    for (const action of decision.actions) {
      if (action.kind === 'fetch') flights.push(send(action, nowMs));
      else {
        const flight = flights.find(({ chunkId }) => chunkId === action.chunkId);
        if (flight) end(flight, nowMs, 'cancelled');
      }
    }
  }
  return result;
}

function phaseAt({ phases }: WorldNetwork, nowMs: number): Phase {
  return (
    phases.filter(({ fromMs }) => fromMs <= nowMs).at(-1) ?? { fromMs: 0, rateBps: 0, isUp: true }
  );
}

function send(
  { chunkId, objectId, networkId, start, end }: FetchAction,
  nowMs: number,
): ObservedFlight {
  return { chunkId, objectId, networkId, start, end, sentMs: nowMs, receivedBytes: 0 };
}

/** A network with a constant rate. */
export function steady(networkId: string, rateBps: number, rttMs: number): WorldNetwork {
  return { networkId, rttMs, phases: [{ fromMs: 0, rateBps, isUp: true }] };
}
