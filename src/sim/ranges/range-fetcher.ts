import {
  normalizeRanges,
  totalBytes,
  type ChunkAction,
  type ChunkObservation,
  type EndedFlight,
  type FailureKind,
  type FetchAction,
  type NetworkBelief,
  type ObservedFlight,
} from '../../chunks';
import { AwaitedTime } from '../../core';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { ConnectionPool } from './connection-pool';
import {
  inOrder,
  isComplete,
  observeNetworks,
  observeObjects,
  type RangeFlight,
  type RangeNetworkState,
  type RangeNetwork,
  type RangeObject,
} from './fetch-state';
import { RangeConnection } from './range-connection';
import type { RangeFetcherOptions, RangeNetworkCounters } from './range-fetcher-options';

/** Longest time between two decisions while anything is in flight. Chosen; no measurement. */
const TICK_MS = 50;

/**
 * Fetches objects as byte ranges over plain TCP, over a few connections a network, by the decisions of a chunk
 * scheduler.
 */
export class RangeFetcher {
  /** Bytes of bodies, duplicates included. */
  receivedBytes = 0;
  /** Bytes of complete objects. */
  completeBytes = 0;
  /** Bytes in order. Those of an announced object count at once: they wait for the player, not for a network. */
  inOrderBytes = 0;
  /** The part of `receivedBytes` that had arrived already. */
  duplicateBytes = 0;
  /** Bytes in flight on connections when they were closed. */
  wastedBytes = 0;
  networkBeliefs: readonly NetworkBelief[] = [];
  readonly #simulation: Simulation;
  readonly #options: RangeFetcherOptions;
  readonly #networks: RangeNetworkState[];
  readonly #wake: Timer;
  #state: object;
  #objects: RangeObject[] = [];
  #flights: RangeFlight[] = [];
  #ended: EndedFlight[] = [];
  #flowCount = 0;
  #objectCount = 0;
  #closed = false;

  constructor(simulation: Simulation, options: RangeFetcherOptions) {
    this.#simulation = simulation;
    this.#options = options;
    this.#state = options.scheduler.initial();
    this.#networks = options.networks.map((spec) => ({
      spec,
      isUp: true,
      isWanted: true,
      pool: new ConnectionPool(() => this.#open(spec)),
      receivedBytes: 0,
      awaited: new AwaitedTime(),
    }));
    this.#wake = new Timer(simulation, () => this.#decide());
  }

  /** Connections and counters of each network, for samples of the transport. */
  get networks(): readonly RangeNetworkCounters[] {
    return this.#networks.map((network) => {
      const awaitedMs = this.#countAwaited(network.spec.id);
      const { spec, pool, receivedBytes } = network;
      return { id: spec.id, connections: pool.connections, receivedBytes, awaitedMs };
    });
  }

  /** Bytes that have arrived in order: of complete objects, and of the first incomplete one. */
  get orderedBytes(): number {
    const [first] = this.#objects;
    return this.completeBytes + (first ? inOrder(first) : 0);
  }

  bytesOf(networkId: string): number {
    return this.#networks.find(({ spec }) => spec.id === networkId)?.receivedBytes ?? 0;
  }

  /**
   * Requests an object.
   * @param done undefined: in advance, until `read`
   */
  fetch(bytes: number, neededAtMs: number | undefined, done?: () => void): RangeObject {
    this.#objectCount += 1;
    const object: RangeObject = {
      objectId: `object-${this.#objectCount}`,
      totalBytes: bytes,
      neededAtMs,
      received: [],
      firstByteMs: undefined,
      aheadBytes: 0,
      done,
    };
    this.#objects.push(object);
    this.#decideSoon();
    return object;
  }

  /** The player asks for an object that was fetched in advance. */
  read(object: RangeObject, done: () => void): void {
    object.done = done;
    this.#giveOut(object, 0);
    if (isComplete(object)) new Timer(this.#simulation, done).setIn(0);
  }

  /** Gives an object up. */
  abort(object: RangeObject): void {
    this.#objects = this.#objects.filter((one) => one !== object);
    this.#decideSoon();
  }

  /** The carrier of a network went or returned. */
  setUp(networkId: string, isUp: boolean): void {
    const network = this.#networks.find(({ spec }) => spec.id === networkId);
    if (network === undefined || network.isUp === isUp) return;
    network.isUp = isUp;
    if (!isUp) {
      for (const flight of this.#flights.filter(({ seen }) => seen.networkId === networkId)) {
        this.#end(flight, 'failed', 'lost');
      }
      network.pool.closeAll();
    }
    this.#decide();
  }

  /** True if new requests go over a network while another wanted one is up. */
  want(networkId: string, isWanted: boolean): void {
    const network = this.#networks.find(({ spec }) => spec.id === networkId);
    if (network === undefined || network.isWanted === isWanted) return;
    network.isWanted = isWanted;
    this.#decideSoon();
  }

  /** Closes every connection. The fetcher decides nothing afterwards. */
  close(): void {
    this.#closed = true;
    this.#wake.cancel();
    for (const { pool } of this.#networks) pool.closeAll();
  }

  get #nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }

  /** Decides at this instant, but after the caller has finished. */
  #decideSoon(): void {
    if (!this.#closed) this.#wake.setAt(this.#simulation.nowNs);
  }

  #decide(): void {
    if (this.#closed) return;
    const observation: ChunkObservation = {
      nowMs: this.#nowMs,
      networks: observeNetworks(this.#networks),
      objects: observeObjects(this.#objects),
      flights: this.#flights.map(({ seen }) => ({ ...seen })),
      ended: this.#ended,
    };
    this.#ended = [];
    const { state, actions, wakeMs, networks } = this.#options.scheduler.decide(
      this.#state,
      observation,
    );
    this.#state = state;
    this.networkBeliefs = networks;
    this.#options.onDecision?.(observation, actions);
    for (const action of actions) this.#act(action);
    if (this.#objects.length === 0 && this.#flights.length === 0) this.#wake.cancel();
    else this.#wake.setAt(Math.ceil(Math.min(wakeMs, this.#nowMs + TICK_MS) * 1e6));
  }

  #act(action: ChunkAction): void {
    if (action.kind === 'fetch') {
      this.#request(action);
      return;
    }
    const flight = this.#flights.find(({ seen }) => seen.chunkId === action.chunkId);
    if (flight === undefined) return;
    this.#end(flight, 'cancelled');
    this.wastedBytes += flight.connection.underWayBytes;
    for (const { pool } of this.#networks) pool.close(flight.connection);
  }

  #request({ chunkId, objectId, networkId, start, end }: FetchAction): void {
    const object = this.#objects.find((one) => one.objectId === objectId);
    const network = this.#networks.find(({ spec }) => spec.id === networkId);
    if (object === undefined || network === undefined) return;
    const connection = network.pool.take();
    const last = end ?? object.totalBytes;
    const seen: ObservedFlight = {
      chunkId,
      objectId,
      networkId,
      start,
      end: last,
      sentMs: this.#nowMs,
      receivedBytes: 0,
    };
    const flight = { seen, object, connection };
    this.#countAwaited(networkId);
    this.#flights.push(flight);
    connection.fetch(last - start, {
      onBytes: (bytes, isLast) => this.#onBytes(flight, network, bytes, isLast),
    });
    network.pool.keepSpare();
  }

  #open({ there, back }: RangeNetwork): RangeConnection {
    this.#flowCount += 1;
    const { createCongestion, receiveBufferBytes, flow } = this.#options;
    return new RangeConnection(this.#simulation, {
      there,
      back,
      flow: flow + this.#flowCount,
      createCongestion: () => createCongestion([]),
      ...(receiveBufferBytes === undefined ? {} : { windowBytes: receiveBufferBytes }),
    });
  }

  #onBytes(flight: RangeFlight, network: RangeNetworkState, bytes: number, isLast: boolean): void {
    const { seen, object } = flight;
    const isFirst = seen.receivedBytes === 0;
    const start = seen.start + seen.receivedBytes;
    const before = totalBytes(object.received);
    const inOrderBefore = inOrder(object);
    object.received = normalizeRanges([...object.received, { start, end: start + bytes }]);
    object.firstByteMs ??= this.#nowMs;
    seen.firstByteMs ??= this.#nowMs;
    seen.lastByteMs = this.#nowMs;
    seen.receivedBytes += bytes;
    network.receivedBytes += bytes;
    this.receivedBytes += bytes;
    const fresh = totalBytes(object.received) - before;
    this.duplicateBytes += bytes - fresh;
    if (object.done) this.#giveOut(object, inOrderBefore);
    else {
      object.aheadBytes += fresh;
      this.inOrderBytes += fresh;
    }
    // The connection is free before the next object is requested.
    if (isLast) this.#end(flight, 'done');
    this.#finish(object);
    if (isFirst || isLast) this.#decide();
    this.#options.onProgress?.();
  }

  /** Bytes of an object came in order, from a position on. */
  #giveOut(object: RangeObject, from: number): void {
    const bytes = inOrder(object) - from;
    const counted = Math.min(bytes, object.aheadBytes);
    object.aheadBytes -= counted;
    this.inOrderBytes += bytes - counted;
  }

  /** Call this before the requests in flight change. Returns the time in which answers of a network were awaited. */
  #countAwaited(networkId: string): number {
    const isAwaited = this.#flights.some(({ seen }) => seen.networkId === networkId);
    const network = this.#networks.find(({ spec }) => spec.id === networkId);
    return network?.awaited.count(isAwaited, this.#nowMs) ?? 0;
  }

  #finish(object: RangeObject): void {
    if (!isComplete(object) || !this.#objects.includes(object)) return;
    this.#objects = this.#objects.filter((one) => one !== object);
    this.completeBytes += object.totalBytes;
    object.done?.();
  }

  #end(flight: RangeFlight, outcome: EndedFlight['outcome'], failure?: FailureKind): void {
    this.#countAwaited(flight.seen.networkId);
    this.#flights = this.#flights.filter((one) => one !== flight);
    this.#ended.push({
      ...flight.seen,
      endMs: this.#nowMs,
      outcome,
      ...(failure === undefined ? {} : { failure }),
    });
  }
}
