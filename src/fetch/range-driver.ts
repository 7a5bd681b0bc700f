import {
  GROWING_PAUSE_MS,
  type ChunkAction,
  type ChunkDecision,
  type EndedFlight,
  type NetworkBelief,
  type NetworkId,
} from '../chunks';
import { takeHead } from './answer-judge';
import type { ExchangeFailure, ResponseHead } from './exchange';
import { FetchObject, type ObjectRequest, type ObjectSink } from './fetch-object';
import { Flight } from './flight';
import { FlightBook } from './flight-book';
import { NetworkTally } from './network-tally';
import { ObjectList } from './object-list';
import { FREE_TERMS, isSpent, spentReason, type NetworkTerms } from './network-terms';
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
  #decision: Pick<ChunkDecision<object>, 'state' | 'networks' | 'reason'>;
  #objectCount = 0;
  #isScheduled = false;
  #isClosed = false;
  #stopTimer = (): void => undefined;

  constructor(options: RangeDriverOptions) {
    this.#options = options;
    this.#terms = options.terms ?? (() => FREE_TERMS);
    this.#flights = new FlightBook(this.tally, options.onChunk);
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
      this.#failed(flight, { kind: 'lost', reason: `${networkId} was lost` });
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
    const object = new FetchObject(`o${this.#objectCount}`, request, facts);
    this.#objects.add(object);
    this.kick();
    return object;
  }

  #read(object: FetchObject, sink: ObjectSink): ObjectHandle {
    object.readBy(sink);
    this.#flush(object);
    this.kick();
    return {
      cancel: () => this.#remove(object),
      drained: () => {
        object.resume();
        this.#flush(object);
      },
    };
  }

  #decide(): void {
    this.#giveUpStuck();
    const { scheduler, pools, clock } = this.#options;
    const nowMs = this.#nowMs;
    const objects = this.#objects.active.filter(({ isHeldBack }) => !isHeldBack);
    const origin = objects[0]?.request.url;
    const networks = observeNetworks({ pools, tally: this.tally, terms: this.#terms, origin });
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

  #execute(action: ChunkAction): void {
    if (action.kind === 'cancel') {
      const flight = this.#flights.get(action.chunkId);
      if (!flight) return;
      if (flight.receivedBytes === 0 && this.#nowMs - flight.sentMs >= SILENT_MS)
        flight.object.networks.broughtNothing(flight.action.networkId, 'it does not answer');
      flight.exchange?.cancel();
      this.#over(flight, 'cancelled', { kind: 'refused', reason: action.reason });
      return;
    }
    const object = this.#objects.find(action.objectId);
    if (!object) return;
    const flight = new Flight(object, action, this.#nowMs);
    this.#flights.add(flight);
    this.#send(flight);
  }

  #send(flight: Flight): void {
    const { object, action } = flight;
    const url = object.networks.urlOver(action.networkId);
    const pool = this.#options.pools.poolFor(action.networkId, url, object.request.url);
    if (!pool) {
      this.#failed(flight, { kind: 'lost', reason: `${action.networkId} is not there` });
      return;
    }
    flight.exchange = pool.request(
      { url, method: 'GET', headers: flight.headersFor(url) },
      {
        onConnected: () => object.facts.connected(action.networkId),
        onHead: (head) => this.#answered(flight, head),
        onData: (bytes) => this.#received(flight, bytes),
        onEnd: () => this.#arrived(flight),
        onFailure: (failure) => {
          const isUnconnected = failure.kind === 'connect' || failure.isRefused === true;
          if (isUnconnected && failure.impostor !== true) {
            object.facts.connectFailed(action.networkId, failure, this.#nowMs);
          }
          this.#failed(flight, failure);
        },
      },
      action.purpose === 'probe',
    );
  }

  #answered(flight: Flight, head: ResponseHead): void {
    const { object, action } = flight;
    const nowMs = this.#nowMs;
    const mayAnswer = (id: NetworkId): boolean =>
      this.#terms(id).allowed &&
      (!object.networks.exclusionOf(id, nowMs) || object.networks.suspects.has(id));
    const others = this.#networkIds.filter((id) => id !== action.networkId && mayAnswer(id));
    const outcome = takeHead(flight, head, { nowMs, wallNowMs: Date.now(), others });
    if (outcome.kind === 'receive') {
      flight.headMs = nowMs;
      return;
    }
    flight.exchange?.cancel();
    if (outcome.kind === 'follow') this.#send(flight);
    else if (outcome.kind === 'done') this.#over(flight, 'done');
    else if (object.isGrowing) this.#secondOfGrowing(flight, outcome.failure);
    else this.#failed(flight, outcome.failure);
  }

  /** Two answers of a growing object cannot be joined. The second one goes; if the first has stopped, the reader asks anew. */
  #secondOfGrowing(flight: Flight, failure: ExchangeFailure): void {
    const { object } = flight;
    const fromMs = this.#nowMs - GROWING_PAUSE_MS;
    const goesOn = this.#flights
      .of(object)
      .some(({ headMs, lastByteMs }) => (lastByteMs ?? headMs ?? -Infinity) >= fromMs);
    if (goesOn) this.#over(flight, 'cancelled', failure);
    else if (this.#remove(object)) object.fail(502, failure.reason);
  }

  #received(flight: Flight, bytes: Buffer): void {
    const { assembler } = flight.object;
    const isFirst = flight.firstByteMs === undefined;
    const { at, wanted, isBeyond } = flight.take(bytes, this.#nowMs);
    const waits = at > assembler.missingByte;
    const fresh = assembler.add(at, wanted);
    this.tally.received(flight, bytes.length, fresh, waits);
    this.#flush(flight.object);
    if (!this.#flights.has(flight)) return;
    const terms = this.#terms(flight.action.networkId);
    if (isSpent(terms, this.tally.of(flight.action.networkId).receivedBytes) && !flight.isHere) {
      // An answer of unknown length is cut where the budget ends.
      flight.exchange?.cancel();
      this.#failed(flight, { kind: 'refused', reason: spentReason(terms) });
    } else if (isBeyond) {
      // The answer is longer than announced; the surplus is dropped.
      flight.exchange?.cancel();
      this.#arrived(flight);
    } else if (isFirst) this.kick();
  }

  #arrived(flight: Flight): void {
    const { object, action } = flight;
    if (object.whole && object.totalBytes === undefined) object.setLength(flight.position);
    if (flight.receivedBytes > 0) object.networks.brought(action.networkId);
    else object.networks.broughtNothing(action.networkId, 'its answers are empty');
    this.#over(flight, 'done');
    this.#flush(object);
  }

  #failed(flight: Flight, failure: ExchangeFailure): void {
    const { object, action } = flight;
    const { networkId } = action;
    if (failure.impostor === true) object.facts.out(networkId, failure.reason, this.#nowMs);
    if (flight.receivedBytes > this.tally.duplicatesOf(flight)) object.networks.brought(networkId);
    else object.networks.failed(networkId, failure);
    this.#over(flight, 'failed', failure);
  }

  #over(flight: Flight, outcome: EndedFlight['outcome'], failure?: ExchangeFailure): void {
    if (this.#flights.end(flight, this.#nowMs, outcome, failure)) this.kick();
  }

  /** Gives the reader the bytes that are in order. The object is complete once the reader took all of them. */
  #flush(object: FetchObject): void {
    const { assembler } = object;
    const before = assembler.nextByte;
    object.flush();
    this.tally.gaveOut(object, assembler.nextByte - before);
    if (this.#flights.holdBack(object)) this.kick();
    if (object.complete && this.#remove(object)) object.end();
  }

  #remove(object: FetchObject): boolean {
    if (!this.#objects.remove(object)) return false;
    for (const flight of this.#flights.of(object)) {
      // A completely received answer ends by itself; a cancel would close its connection.
      if (flight.isHere) continue;
      flight.exchange?.cancel();
      this.#over(flight, 'cancelled');
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
      const isFetched = this.#flights.of(object).length > 0;
      if (!object.isHopeless(standings, isFetched, context.nowMs)) continue;
      this.#remove(object);
      object.failStuck(standings.map(objectionOf));
    }
  }
}
