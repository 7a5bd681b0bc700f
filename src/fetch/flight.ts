import type { ByteRange, EndedFlight, FailureKind, FetchAction, ObservedFlight } from '../chunks';
import type { Exchange } from './exchange';
import type { FetchObject } from './fetch-object';
import { RepeatedTail, TAIL_BYTES, type Repeated } from './grown-bytes';

/** RFC 9110, section 15.4: a client should detect cyclical redirections. */
const MAX_REDIRECTS = 5;

/** One request of a scheduler, from its action to its end. */
export class Flight {
  readonly object: FetchObject;
  readonly action: FetchAction;
  readonly sentMs: number;
  /** The range that the request names in the representation; undefined: all of it. */
  readonly requestedRange: ByteRange | undefined;
  /** Offset in the object at which an answer that has everything is ended: a probe of a whole object takes only its beginning. */
  readonly cutAt: number;
  /** The rest of a growing object is asked for, behind another answer. */
  readonly isRest: boolean;
  /** Where its request goes: the object's own address, or the target of a redirection. */
  url: URL;
  exchange: Exchange | undefined;
  /** Its request is on an open connection. */
  isConnected = false;
  /** Offset in the object of the next byte; known once the head is judged. */
  position: number;
  /** The first byte behind the flight's range. */
  stop: number;
  headMs: number | undefined;
  firstByteMs: number | undefined;
  lastByteMs: number | undefined;
  receivedBytes = 0;
  /** Its bytes only measure the network: they may belong to another version than the object's own. */
  isMeasurement = false;
  /** Set while it brings bytes of a growing object that arrived before. */
  repeated: Repeated | undefined;
  #redirects = 0;

  constructor(object: FetchObject, action: FetchAction, sentMs: number) {
    this.object = object;
    this.action = action;
    this.sentMs = sentMs;
    this.url = object.networks.urlOver(action.networkId);
    const { base, range } = object;
    const { length, tail } = object.grown;
    this.isRest = object.isGrowing && action.start > 0 && tail.length === TAIL_BYTES;
    if (this.isRest) this.repeated = new RepeatedTail(object.grown);
    this.position = this.isRest ? length - tail.length : object.isGrowing ? 0 : action.start;
    this.stop = action.end ?? Infinity;
    const start = base + this.position;
    const asked = object.whole ? null : action.end;
    const end = asked === null ? (range?.end ?? Infinity) : base + asked;
    this.cutAt = object.whole ? (action.end ?? Infinity) : Infinity;
    this.requestedRange = start === 0 && end === Infinity ? undefined : { start, end };
  }

  /** All bytes arrived; only the end of the answer is missing. */
  get isHere(): boolean {
    return this.position >= Math.min(this.stop, this.object.totalBytes ?? Infinity);
  }

  /**
   * Its answer may wait for the end of others of the network: it is a range of a large object, and no other network has
   * failed to bring it.
   */
  get mayFollow(): boolean {
    const { purpose, end } = this.action;
    return purpose === 'media' && end !== null && !this.object.isSmall;
  }

  /**
   * Headers that request the range, on the condition that the representation is unchanged (RFC 9110, section
   * 13.1.5).
   */
  get rangeHeaders(): Record<string, string> {
    const { requestedRange } = this;
    if (!requestedRange) return {};
    const last = requestedRange.end === Infinity ? '' : String(requestedRange.end - 1);
    const { agreement, range } = this.object;
    const validator = agreement?.validator ?? range?.validator;
    return {
      range: `bytes=${requestedRange.start}-${last}`,
      ...(validator === undefined ? {} : { 'if-range': validator }),
    };
  }

  /**
   * All headers of the request. Credentials go only to the origin for which they were given (RFC 9110, section
   * 15.4).
   */
  get headers(): Record<string, string> {
    const { request } = this.object;
    const isOwn = this.url.origin === request.url.origin;
    const given = Object.entries(request.headers).filter(
      ([name]) => isOwn || !['authorization', 'cookie'].includes(name.toLowerCase()),
    );
    return { 'accept-encoding': 'identity', ...Object.fromEntries(given), ...this.rangeHeaders };
  }

  /** Counts a piece of the body. Returns the part that belongs to the flight, with its offset in the object. */
  take(bytes: Buffer, nowMs: number): { at: number; wanted: Buffer; isBeyond: boolean } {
    this.firstByteMs ??= nowMs;
    this.lastByteMs = nowMs;
    this.receivedBytes += bytes.length;
    const skip = Math.max(0, -this.position);
    const end = Math.min(this.position + bytes.length, this.stop);
    const wantedEnd = this.isMeasurement ? skip : Math.max(skip, end - this.position);
    const wanted = bytes.subarray(skip, wantedEnd);
    const at = this.position + skip;
    this.position += bytes.length;
    return { at, wanted, isBeyond: this.position > end };
  }

  /** Its own request was redirected; otherwise it went to the target of an earlier one, or to no other. */
  get isRedirected(): boolean {
    return this.#redirects > 0;
  }

  /** Counts a redirection; false when there were too many. */
  redirect(): boolean {
    this.#redirects += 1;
    return this.#redirects <= MAX_REDIRECTS;
  }

  observe(): ObservedFlight {
    const { chunkId, networkId, start, end } = this.action;
    const { firstByteMs, lastByteMs, sentMs, receivedBytes } = this;
    return {
      chunkId,
      objectId: this.object.id,
      networkId,
      start,
      end,
      sentMs,
      ...(firstByteMs === undefined ? {} : { firstByteMs }),
      ...(lastByteMs === undefined ? {} : { lastByteMs }),
      receivedBytes,
      ...(this.object.isGrowing && firstByteMs !== undefined ? { growing: true } : {}),
    };
  }

  ended(endMs: number, outcome: EndedFlight['outcome'], failure?: FailureKind): EndedFlight {
    return { ...this.observe(), endMs, outcome, ...(failure === undefined ? {} : { failure }) };
  }
}
