import type {
  ChunkAction,
  ChunkDecision,
  NetworkBelief,
  NetworkId,
  ObservedNetwork,
} from '../chunks';
import { FetchObject, type ObjectRequest, type ObjectSink } from './fetch-object';
import { Flight } from './flight';
import { FlightAnswers } from './flight-answers';
import { FlightBook } from './flight-book';
import { NetworkTally } from './network-tally';
import { ObjectList } from './object-list';
import { FREE_TERMS, type NetworkTerms } from './network-terms';
import { observeNetworks } from './observe-networks';
import { objectionOf, standingOf } from './standing';
import type { AnnouncedObject, ObjectHandle, RangeDriverOptions } from './range-driver-options';

/** Bytes kept for slow readers, over all objects. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Servers that fetch the segment themselves answer within this time; schedulers wait as long (`stuckMs`). */
const SILENT_MS = 10_000;
/** Longest time between two decisions while objects are fetched: the exclusion of a network expires without an event. */
const MAX_WAIT_MS = 1000;

/**
 * Executes a chunk scheduler over real connections. It passes observations to the scheduler, sends and cancels
 * requests, and joins the bytes in order.
 */
export class RangeDriver {
  readonly tally = new NetworkTally();
  readonly #options: RangeDriverOptions;
  readonly #terms: (networkId: NetworkId) => NetworkTerms;
  readonly #objects = new ObjectList();
  readonly #flights: FlightBook;
  readonly #answers: FlightAnswers;
  #decision: Pick<ChunkDecision<object>, 'state' | 'networks' | 'reason'>;
  #objectCount = 0;
  #isScheduled = false;
  #isClosed = false;
  #stopTimer = (): void => undefined;

  constructor(options: RangeDriverOptions) {
    this.#options = options;
    this.#terms = options.terms ?? (() => FREE_TERMS);
    this.#flights = new FlightBook(this.tally, options.onChunk);
    this.#answers = new FlightAnswers({
      flights: this.#flights,
      tally: this.tally,
      terms: this.#terms,
      networkIds: () => this.#networkIds,
      clock: options.clock,
      send: (flight) => this.#send(flight),
      remove: (object) => this.#remove(object),
      kick: () => this.kick(),
    });
    this.#decision = { state: options.scheduler.initial(), networks: [], reason: '' };
  }

  get beliefs(): readonly NetworkBelief[] {
    return this.#decision.networks;
  }

  get reason(): string {
    return this.#decision.reason;
  }

  get busy(): boolean {
    return this.#objects.length > 0;
  }

  fetch(request: ObjectRequest, sink: ObjectSink): ObjectHandle {
    return this.#read(this.#add(request), sink);
  }

  /** Fetches the probable next object over networks that objects with a reader leave idle. */
  announce(request: ObjectRequest): AnnouncedObject {
    const object = this.#add(request);
    return {
      request,
      read: (sink, neededAtMs) => {
        if (!this.#objects.has(object)) return undefined;
        object.neededAtMs = neededAtMs;
        return this.#read(object, sink);
      },
      drop: () => this.#remove(object),
    };
  }

  /** Decides again after a change of networks, terms or anything else. */
  kick(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#isClosed) this.#decide();
    });
  }

  /** Time in which bytes of a network were outstanding, ms. Undefined while a slow reader delays them. */
  awaitedMs(networkId: NetworkId): number | undefined {
    return this.#flights.awaitedMs(networkId, this.#nowMs);
  }

  /** A network went: its requests fail at once, without waiting for their sockets. */
  networkLost(networkId: NetworkId): void {
    for (const flight of this.#flights.over(networkId)) {
      flight.exchange?.cancel();
      this.#answers.failed(flight, { kind: 'lost', reason: `${networkId} was lost` });
    }
    this.kick();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTimer();
    for (const flight of this.#flights.clear()) flight.exchange?.cancel();
    for (const object of this.#objects.clear()) object.fail(503, 'the fetcher was closed');
  }

  get #nowMs(): number {
    return this.#options.clock.nowMs();
  }

  get #networkIds(): NetworkId[] {
    return this.#options.pools.networks().map(({ id }) => id);
  }

  #add(request: ObjectRequest): FetchObject {
    this.#objectCount += 1;
    const facts = this.#options.book.of(request.url.origin);
    const object = new FetchObject(`o${this.#objectCount}`, request, facts, this.#nowMs);
    this.#objects.add(object);
    this.kick();
    return object;
  }

  #read(object: FetchObject, sink: ObjectSink): ObjectHandle {
    object.readBy(sink);
    this.#answers.flush(object);
    this.kick();
    return {
      cancel: () => this.#remove(object),
      drained: () => {
        object.resume();
        this.#answers.flush(object);
      },
    };
  }

  #decide(): void {
    this.#giveUpStuck();
    const { scheduler, pools, clock } = this.#options;
    const nowMs = this.#nowMs;
    const objects = this.#objects.active.filter(({ isHeldBack }) => !isHeldBack);
    // The connections that count are those to the server of the object that needs a request next.
    const first = objects.find((object) => this.#flights.of(object).length === 0) ?? objects[0];
    const permitted = (id: NetworkId): number =>
      first === undefined
        ? 0
        : first.facts.mostRequests(id, nowMs) - this.#flights.over(id, first.facts).length;
    const networks = observeNetworks({
      pools,
      tally: this.tally,
      terms: this.#terms,
      origin: first?.request.url,
      permitted,
    });
    this.#freeConnections(objects, networks);
    const ids = networks.map(({ networkId }) => networkId);
    const windowBytes = MAX_WAITING_BYTES / Math.max(1, objects.length);
    const isBudgeted = networks.some(({ budgetBytes }) => budgetBytes !== undefined);
    const decision = scheduler.decide(this.#decision.state, {
      nowMs,
      networks,
      objects: objects.map((object) => object.observe(ids, nowMs, { windowBytes, isBudgeted })),
      flights: this.#flights.observe(),
      ended: this.#flights.takeEnded(),
    });
    this.#decision = decision;
    for (const { networkId, rateBps } of decision.networks) pools.expect(networkId, rateBps);
    for (const action of decision.actions) this.#execute(action);
    this.#stopTimer();
    if (!this.busy) return;
    const delayMs = Math.min(MAX_WAIT_MS, Math.max(1, decision.wakeMs - this.#nowMs));
    this.#stopTimer = clock.after(delayMs, () => this.kick());
  }

  /**
   * Paused answers of readers that are far behind keep their connections of HTTP/1.1. If none is left for the others, those of
   * one such reader are closed; its missing bytes are asked for again once it has caught up. An answer without ranges would
   * begin again from the first byte, so it stays.
   */
  #freeConnections(objects: readonly FetchObject[], networks: readonly ObservedNetwork[]): void {
    const carries = (object: FetchObject): boolean => this.#flights.of(object).length > 0;
    const isBlocked = objects.length > 0 && !objects.some(carries);
    if (!isBlocked || networks.some(({ freeRequests }) => freeRequests > 0)) return;
    const held = this.#objects.active.find((one) => one.isHeldBack && !one.whole && carries(one));
    if (held === undefined) return;
    for (const flight of this.#flights.of(held))
      this.#answers.cancel(flight, 'other requests need its connection');
  }

  #execute(action: ChunkAction): void {
    if (action.kind === 'cancel') {
      const flight = this.#flights.get(action.chunkId);
      if (!flight) return;
      if (flight.receivedBytes === 0 && this.#nowMs - flight.sentMs >= SILENT_MS)
        flight.object.networks.broughtNothing(flight.action.networkId, 'it does not answer');
      this.#answers.cancel(flight, action.reason);
      return;
    }
    const object = this.#objects.find(action.objectId);
    if (!object) return;
    const flight = new Flight(object, action, this.#nowMs);
    this.#flights.add(flight);
    this.#send(flight);
  }

  #send(flight: Flight): void {
    const { object, action, url, headers } = flight;
    const pool = this.#options.pools.poolFor(action.networkId, url, object.request.url);
    if (!pool) {
      this.#answers.failed(flight, { kind: 'lost', reason: `${action.networkId} is not there` });
      return;
    }
    flight.isConnected = false;
    flight.exchange = pool.request(
      { url, method: 'GET', headers },
      {
        onConnected() {
          flight.isConnected = true;
          object.facts.connected(action.networkId);
        },
        onHead: (head) => this.#answers.answered(flight, head),
        onData: (bytes) => this.#answers.received(flight, bytes),
        onEnd: () => this.#answers.arrived(flight),
        onFailure: (failure) => {
          const isUnconnected = failure.kind === 'connect' || failure.isRefused === true;
          if (isUnconnected && failure.impostor !== true) {
            object.facts.connectFailed(action.networkId, failure, this.#nowMs);
            // The origin may redirect to another server by now.
            object.networks.leaveTarget(action.networkId, url);
          }
          this.#answers.failed(flight, failure);
        },
      },
      { isProbe: action.purpose === 'probe', mayFollow: flight.mayFollow },
    );
  }

  #remove(object: FetchObject): boolean {
    if (!this.#objects.remove(object)) return false;
    for (const flight of this.#flights.of(object)) {
      // A completely received answer ends by itself; a cancel would close its connection.
      if (flight.isHere) continue;
      flight.exchange?.cancel();
      this.#answers.over(flight, 'cancelled');
    }
    if (!object.isRead) this.tally.unread(object);
    this.kick();
    return true;
  }

  /** An object that no network can fetch fails after a time limit. */
  #giveUpStuck(): void {
    const context = { terms: this.#terms, tally: this.tally, nowMs: this.#nowMs };
    for (const object of this.#objects.active) {
      const standings = this.#networkIds.map((id) => standingOf(object, id, context));
      const flights = this.#flights.of(object);
      if (!object.isHopeless(standings, flights, context.nowMs)) continue;
      this.#remove(object);
      object.failStuck(standings.map(objectionOf));
    }
  }
}
