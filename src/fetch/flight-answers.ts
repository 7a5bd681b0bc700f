import { isBehind, type EndedFlight, type NetworkId } from '../chunks';
import { ENCODER_PAUSE_MS } from '../core';
import type { Clock } from '../ports';
import { parseContentRange } from './agreement';
import { takeHead } from './answer-judge';
import type { ExchangeFailure, ResponseHead } from './exchange';
import type { FetchObject } from './fetch-object';
import type { Flight } from './flight';
import type { FlightBook } from './flight-book';
import { RepeatedAnswer, type Repeated } from './grown-bytes';
import type { NetworkTally } from './network-tally';
import { isSpent, spentReason, type NetworkTerms } from './network-terms';

export interface FlightAnswersOptions {
  flights: FlightBook;
  tally: NetworkTally;
  terms: (networkId: NetworkId) => NetworkTerms;
  networkIds: () => NetworkId[];
  clock: Clock;
  /** Sends the request again, to the address of a redirection. */
  send: (flight: Flight) => void;
  /** Ends an object with its requests. False if it had ended. */
  remove: (object: FetchObject) => boolean;
  /** Something changed: decide again. */
  kick: () => void;
}

/** Takes the answers to a driver's requests: judges them, joins their bytes, gives them to the readers. */
export class FlightAnswers {
  readonly #options: FlightAnswersOptions;

  constructor(options: FlightAnswersOptions) {
    this.#options = options;
  }

  get #nowMs(): number {
    return this.#options.clock.nowMs();
  }

  answered(flight: Flight, head: ResponseHead): void {
    const { object, action } = flight;
    const nowMs = this.#nowMs;
    if (takeRepeat(flight, head)) {
      this.#beganAnew(flight);
      return;
    }
    const mayAnswer = (id: NetworkId): boolean =>
      this.#options.terms(id).allowed &&
      (!object.networks.exclusionOf(id, nowMs) || object.networks.suspects.has(id));
    const others = this.#options
      .networkIds()
      .filter((id) => id !== action.networkId && mayAnswer(id));
    const answering = this.#options.flights
      .over(action.networkId, object.facts)
      .filter((one) => one !== flight && one.headMs !== undefined).length;
    const context = { nowMs, wallNowMs: Date.now(), others, answering };
    const outcome = takeHead(flight, head, context);
    if (outcome.kind === 'receive') {
      flight.headMs = nowMs;
      return;
    }
    flight.exchange?.cancel();
    if (outcome.kind === 'follow') this.#options.send(flight);
    else if (outcome.kind === 'done') this.over(flight, 'done');
    else this.failed(flight, outcome.failure);
  }

  /** A second answer with an object that still grows is not needed while the first one delivers. */
  #beganAnew(flight: Flight): void {
    const { object } = flight;
    object.facts.answered(flight.action.networkId);
    flight.headMs = this.#nowMs;
    const isNeeded = !goesOn(this.#options.flights.of(object), this.#nowMs);
    if (!isNeeded) this.cancel(flight, 'the first answer goes on');
  }

  /** Takes a further piece of a second answer. @returns false if it is not the object's */
  #joins(flight: Flight, repeated: Repeated, wanted: Buffer): boolean {
    const verdict = repeated.take(wanted, flight.object.grown);
    if (verdict === 'differs') this.#differs(flight);
    if (verdict !== 'joins') return verdict === 'repeats';
    flight.repeated = undefined;
    for (const other of this.#options.flights.of(flight.object)) {
      if (other !== flight) this.cancel(other, `${flight.action.networkId} brings more of it`);
    }
    return true;
  }

  /** The reader asks anew if no other answer is there. */
  #differs(flight: Flight): void {
    const { object, action } = flight;
    const { flights, remove } = this.#options;
    const reason = 'another answer has other bytes';
    object.networks.exclude(action.networkId, reason);
    this.cancel(flight, reason);
    if (flights.of(object).length === 0 && remove(object)) object.fail(502, reason);
  }

  cancel(flight: Flight, reason: string): void {
    flight.exchange?.cancel();
    this.over(flight, 'cancelled', { kind: 'refused', reason });
  }

  received(flight: Flight, bytes: Buffer): void {
    const { object, repeated } = flight;
    const { networkId } = flight.action;
    const { flights, tally } = this.#options;
    const { assembler } = object;
    const isFirst = flight.firstByteMs === undefined;
    const { at, wanted, isBeyond } = flight.take(bytes, this.#nowMs);
    if (repeated !== undefined && !this.#joins(flight, repeated, wanted)) return;
    const waits = at > assembler.missingByte;
    const fresh = assembler.add(at, wanted);
    if (object.isGrowing && fresh > 0) this.#grew(flight, wanted.subarray(wanted.length - fresh));
    tally.received(flight, bytes.length, fresh, waits);
    this.flush(object);
    if (!flights.has(flight)) return;
    const terms = this.#options.terms(networkId);
    if (isSpent(terms, tally.of(networkId).receivedBytes) && !flight.isHere) {
      // An answer of unknown length is cut where the budget ends.
      flight.exchange?.cancel();
      this.failed(flight, { kind: 'refused', reason: spentReason(terms) });
    } else if (isBeyond) {
      // The answer is longer than announced; the surplus is dropped.
      flight.exchange?.cancel();
      this.arrived(flight);
    } else if (isFirst) this.#options.kick();
  }

  /** The first answer goes on, so no second one is needed. */
  #grew(flight: Flight, fresh: Buffer): void {
    const { object } = flight;
    object.grown.add(fresh);
    const isEnough = goesOn([flight], this.#nowMs);
    for (const other of this.#options.flights.of(object)) {
      const isSame = other.action.networkId === flight.action.networkId;
      if (other.repeated !== undefined && (isEnough || isSame))
        this.cancel(other, 'the first answer goes on');
    }
  }

  arrived(flight: Flight): void {
    const { object, action, repeated } = flight;
    if (repeated?.isAll(object.grown) === false) {
      this.#differs(flight);
      return;
    }
    if (flight.isRest && flight.position < flight.stop && flight.stop < Infinity) {
      this.failed(flight, { kind: 'reset', reason: 'the answer ended early' });
      return;
    }
    const isAll = object.whole && !flight.isMeasurement;
    if (isAll && object.totalBytes === undefined) object.setLength(flight.position);
    if (flight.receivedBytes > 0) object.networks.brought(action.networkId);
    else object.networks.broughtNothing(action.networkId, 'its answers are empty');
    this.over(flight, 'done');
    this.flush(object);
  }

  failed(flight: Flight, failure: ExchangeFailure): void {
    const { object, action } = flight;
    const { networkId } = action;
    if (failure.impostor === true) object.facts.out(networkId, failure.reason, this.#nowMs);
    const freshBytes = flight.receivedBytes - this.#options.tally.duplicatesOf(flight);
    if (freshBytes > 0) object.networks.brought(networkId);
    else object.networks.failed(networkId, failure);
    this.over(flight, 'failed', failure);
  }

  over(flight: Flight, outcome: EndedFlight['outcome'], failure?: ExchangeFailure): void {
    if (this.#options.flights.end(flight, this.#nowMs, outcome, failure)) this.#options.kick();
  }

  /** Gives the reader the bytes that are in order. The object is complete once the reader took all of them. */
  flush(object: FetchObject): void {
    const { assembler } = object;
    const before = assembler.nextByte;
    object.flush();
    this.#options.tally.gaveOut(object, assembler.nextByte - before);
    if (this.#options.flights.holdBack(object)) this.#options.kick();
    if (object.complete && this.#options.remove(object)) object.end();
  }
}

/**
 * Prepares a flight whose answer repeats bytes of a growing object: it begins the object anew, or with the last bytes that
 * arrived. A part of it only measures its network.
 * @returns false if the answer does not
 */
function takeRepeat(flight: Flight, { status, headers }: ResponseHead): boolean {
  const { action, object, requestedRange } = flight;
  const isMeasurement = action.purpose === 'probe' && action.end !== null;
  if (!object.isGrowing || isMeasurement) return false;
  const part = parseContentRange(headers['content-range']);
  const { start, end = NaN } = part?.range ?? {};
  const isToEnd = (part?.completeBytes ?? end) === end;
  if (flight.isRest && status === 206 && start === requestedRange?.start && isToEnd) {
    flight.stop = end - object.base;
    return true;
  }
  // A server without ranges sends all in place of a rest.
  const isAll = flight.isRest ? object.base === 0 : requestedRange === undefined;
  if (status !== 200 || !isAll) return false;
  flight.repeated = new RepeatedAnswer();
  flight.position = 0;
  return true;
}

/**
 * True if one of the answers with a growing object delivers: a byte is no older than a usual pause of an encoder, and the
 * answer is not behind it.
 */
const goesOn = (flights: readonly Flight[], nowMs: number): boolean =>
  flights.some((flight) => {
    const { headMs, lastByteMs, object, repeated } = flight;
    const { grownAtMs } = object.request;
    const isLate = isBehind(flight, { expectedBytes: object.expectedBytes, grownAtMs }, nowMs);
    const isRecent = (lastByteMs ?? headMs ?? -Infinity) >= nowMs - ENCODER_PAUSE_MS;
    return repeated === undefined && isRecent && !isLate;
  });
