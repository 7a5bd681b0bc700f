import {
  GUESS_MARGIN,
  isSmallObject,
  totalBytes,
  type ByteRange,
  type NetworkId,
  type ObjectId,
  type ObservedObject,
} from '../chunks';
import { disagreement, type Agreement } from './agreement';
import { Assembler } from './assembler';
import type { ResponseHead } from './exchange';
import { GrownBytes } from './grown-bytes';
import { ObjectNetworks, type Standing } from './object-networks';
import type { OriginFacts } from './origin-book';

/** A wanted object. */
export interface ObjectRequest {
  url: URL;
  /** Headers that are sent to the server unchanged. */
  headers: Readonly<Record<string, string>>;
  /**
   * The requested bytes; `end` absent: to the end. `validator`: an ETag or a date; another version is given whole (RFC
   * 9110, section 13.1.5).
   */
  range?: { start: number; end: number | undefined; validator?: string | undefined } | undefined;
  /**
   * The object may be fetched in ranges. False for small objects and for those that the server generates anew for
   * each request.
   */
  joinable: boolean;
  /** Time when the server has written all of it, on the driver's clock. Absent: it has, or nobody knows. */
  grownAtMs?: number | undefined;
  /** Time when its last byte is needed, on the driver's clock. */
  neededAtMs?: number | undefined;
  /** A guess of its length. */
  expectedBytes?: number | undefined;
  /** Name of a sequence of objects, such as `video`. A page announces one object of it at a time. */
  stream?: string | undefined;
}

/** The head of an object for its reader. */
export interface ObjectHead extends ResponseHead {
  /** The object's address after redirects. */
  url: string;
}

/** Callbacks of a reader: `onHead`, `onData`..., then exactly one of `onEnd` and `onFailure`. */
export interface ObjectSink {
  /** @param earlyBytes of the body, which had arrived before the reader asked */
  onHead(head: ObjectHead, earlyBytes: number): void;
  /** Returns false to pause until `drained` is called. */
  onData(bytes: Buffer): boolean;
  onEnd(): void;
  /** @param status HTTP status, if no byte was given out before */
  onFailure(status: number, reason: string): void;
}

/**
 * Bytes that a whole object of unknown length, such as a manifest, counts against a budget. A longer answer ends
 * where the budget does.
 */
const MIN_WHOLE_BYTES = 100_000;
/** Bytes that wait for their reader before the networks pause. */
const MIN_WINDOW_BYTES = 1024 * 1024;
/** Bytes kept of an object without a reader. Less than the limit at which answers pause. */
const UNREAD_WINDOW_BYTES = 3 * 1024 * 1024;

/** One object being fetched: its bytes, and the description that every answer has to match. */
export class FetchObject {
  readonly id: ObjectId;
  readonly request: ObjectRequest;
  readonly facts: OriginFacts;
  readonly assembler = new Assembler();
  /** Its bytes while the server is still writing it. */
  readonly grown = new GrownBytes();
  readonly networks: ObjectNetworks;
  agreement: Agreement | undefined;
  /** Length of the object, once an answer gave it. */
  totalBytes: number | undefined;
  /** A guess of the length, until an answer refutes it. */
  expectedBytes: number | undefined;
  /** One answer fetches the whole object. */
  whole: boolean;
  /** The reader is too far behind: fetching this object is paused. */
  isHeldBack = false;
  /** The refusal to pass on if no network has a better answer. */
  refusal: ResponseHead | undefined;
  /** Time when its last byte is needed, on the driver's clock. */
  neededAtMs: number | undefined;
  /** The requested bytes; undefined: all of them. */
  range: ObjectRequest['range'];
  #differs = false;
  #isWeak = false;
  #sink: ObjectSink | undefined;
  #paused = true;
  #head: ObjectHead | undefined;
  #earlyBytes = 0;

  constructor(id: ObjectId, request: ObjectRequest, facts: OriginFacts, nowMs: number) {
    this.id = id;
    this.request = request;
    this.facts = facts;
    this.networks = new ObjectNetworks(request.url, facts);
    this.whole = !request.joinable || !facts.asksForRanges(nowMs);
    this.neededAtMs = request.neededAtMs;
    this.range = request.range;
    this.expectedBytes = request.expectedBytes;
    if (this.range?.end !== undefined) this.totalBytes = this.range.end - this.range.start;
  }

  /** Offset of the object in the representation. */
  get base(): number {
    return this.range?.start ?? 0;
  }

  /** Least budget that a network needs to fetch any part of it. */
  get minBytes(): number {
    return this.whole ? (this.totalBytes ?? MIN_WHOLE_BYTES) : 1;
  }

  /** It is fetched before larger ones and apart from them. */
  get isSmall(): boolean {
    return isSmallObject(this);
  }

  get complete(): boolean {
    return this.totalBytes !== undefined && this.assembler.nextByte >= this.totalBytes;
  }

  /** No answer counts yet, so the object can start again from another one. */
  get untouched(): boolean {
    return this.#head === undefined;
  }

  /** An answer without a length counts: the server is still writing the object. */
  get isGrowing(): boolean {
    return this.#head !== undefined && this.totalBytes === undefined;
  }

  /** The reader takes no more bytes now. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Somebody requested it. */
  get isRead(): boolean {
    return this.#sink !== undefined;
  }

  readBy(sink: ObjectSink): void {
    this.#sink = sink;
    this.#paused = false;
    this.#earlyBytes = totalBytes(this.assembler.received());
    if (this.#head) sink.onHead(this.#head, this.#earlyBytes);
  }

  /**
   * Adopts the description in an answer. Returns the reason why the answer does not match the earlier ones;
   * undefined when it does.
   */
  agree(agreement: Agreement | undefined, head: ObjectHead): string | undefined {
    if (this.agreement) return disagreement(this.agreement, agreement);
    if (!this.untouched) return 'an answer without a strong validator came first';
    this.agreement = agreement;
    if (agreement) this.#setTotal(agreement.completeBytes);
    this.#giveHead(head);
    return undefined;
  }

  /** A server may ignore a range (RFC 9110, section 14.2). The reader then gets all bytes. */
  ignoreRange(): void {
    this.range = undefined;
    this.totalBytes = undefined;
  }

  /** Sets the length from an answer without a validator. */
  setLength(completeBytes: number | undefined): void {
    if (completeBytes !== undefined) this.#setTotal(completeBytes);
  }

  /** Gives out the bytes that are in order. */
  flush(): void {
    while (!this.#paused) {
      const bytes = this.assembler.take();
      if (!bytes) return;
      if (this.#sink?.onData(bytes) === false) this.#paused = true;
    }
  }

  resume(): void {
    this.#paused = false;
  }

  end(): void {
    this.#sink?.onEnd();
  }

  fail(status: number, reason: string): void {
    this.#sink?.onFailure(status, reason);
  }

  /** An answer describes another version. A single object of that kind may be an update in progress. */
  differs(nowMs: number, isForGood = false): void {
    if (!this.#differs) this.facts.edges.differed(nowMs, isForGood);
    this.#differs = true;
  }

  /** Its answers cannot be joined. Several of them are one object of that kind. */
  weak(): void {
    if (!this.#isWeak) this.facts.weak();
    this.#isWeak = true;
  }

  /** True if no network can fetch it. @param flights its requests under way */
  isHopeless(
    standings: readonly Standing[],
    flights: readonly { isConnected: boolean }[],
    nowMs: number,
  ): boolean {
    const isUntouched = this.untouched;
    const progress = {
      isFetched: flights.length > 0,
      isConnected: flights.some(({ isConnected }) => isConnected),
      isPaused: this.#paused,
      isRefused: this.refusal !== undefined && isUntouched && this.networks.hasExcluded,
      isUntouched,
    };
    return this.networks.isHopeless(standings, progress, nowMs);
  }

  /** No network can fetch it. */
  failStuck(reasons: readonly string[]): void {
    // No other status below 400 means that there is no content.
    const status = this.refusal?.status ?? 502;
    const isPassed = status >= 400 || status === 304;
    this.fail(isPassed ? status : 502, reasons.join('; ') || 'no network is up');
  }

  /**
   * The object as a scheduler sees it.
   * @param limits.windowBytes bytes ahead of the reader that may be fetched; later bytes count as received
   * @param limits.isBudgeted true if a network has a budget: it carries no object without a length
   */
  observe(
    networkIds: readonly NetworkId[],
    nowMs: number,
    { windowBytes, isBudgeted }: { windowBytes: number; isBudgeted: boolean },
  ): ObservedObject {
    const { neededAtMs, expectedBytes } = this;
    const { grownAtMs } = this.request;
    const isGuessed = isBudgeted && this.whole && this.untouched;
    const totalBytes = this.totalBytes ?? (isGuessed ? MIN_WHOLE_BYTES : undefined);
    const aheadBytes = this.isRead ? Math.max(MIN_WINDOW_BYTES, windowBytes) : UNREAD_WINDOW_BYTES;
    return {
      objectId: this.id,
      ...(totalBytes === undefined ? {} : { totalBytes }),
      ...(neededAtMs === undefined ? {} : { neededAtMs }),
      ...(grownAtMs === undefined ? {} : { grownAtMs }),
      ...(expectedBytes !== undefined && (this.whole || this.facts.joins)
        ? { expectedBytes: Math.min(expectedBytes, aheadBytes / GUESS_MARGIN) }
        : {}),
      ranges: !this.whole,
      received: this.#receivedWithin(this.assembler.nextByte + aheadBytes),
      excluded: networkIds.filter((networkId) => this.networks.exclusionOf(networkId, nowMs)),
    };
  }

  #receivedWithin(limit: number): ByteRange[] {
    const received = this.assembler.received();
    const total = this.totalBytes;
    if (total === undefined || total <= limit) return received;
    const kept = received.filter(({ start }) => start < limit);
    const last = kept.at(-1);
    if (last && last.end >= limit) last.end = total;
    else kept.push({ start: limit, end: total });
    return kept;
  }

  #setTotal(completeBytes: number): void {
    const end = Math.min(this.range?.end ?? completeBytes, completeBytes);
    this.totalBytes = Math.max(0, end - this.base);
  }

  #giveHead(head: ObjectHead): void {
    const { range } = this;
    const headers: Record<string, string> = { ...head.headers };
    delete headers['content-length'];
    delete headers['content-range'];
    if (this.totalBytes !== undefined) headers['content-length'] = String(this.totalBytes);
    if (range && this.totalBytes !== undefined) {
      const complete = this.agreement?.completeBytes ?? '*';
      headers['content-range'] =
        `bytes ${this.base}-${this.base + this.totalBytes - 1}/${complete}`;
    }
    this.#head = { status: range ? 206 : 200, headers, url: head.url };
    this.#sink?.onHead(this.#head, this.#earlyBytes);
  }
}
