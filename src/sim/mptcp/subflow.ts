import { INITIAL_WINDOW } from '../congestion/congestion-control';
import type { SubflowState } from '../schedulers/scheduler';
import type { TcpEndpoint } from '../tcp/endpoint';
import type { Chunk } from '../tcp/segment';

/** Linux (net.mptcp.stale_loss_cnt): after so many time-outs in a row without an answer a subflow is stale. */
const STALE_TIMEOUTS = 4;
/** With fewer it may take over what is stuck on another (mptcp_pm_subflow_chk_stale). */
const LOSS_TIMEOUTS = STALE_TIMEOUTS - 1;

/**
 * Linux (tcp_sndbuf_expand): the send buffer takes two windows of segments, each with the memory that one of 1460 bytes
 * takes with its headers (2304 bytes on a kernel without tunnels), and never shrinks; net.ipv4.tcp_wmem bounds it.
 */
const SEGMENT_MEMORY_BYTES = 2304;
const MAX_SEND_BUFFER_BYTES = 4_194_304;
/** Memory that a byte of data takes there; measured with `ss -m` on 6.18: 1.23 to 1.3. */
const MEMORY_PER_BYTE = 1.25;

/** One end of a subflow with what was assigned to it and not sent yet. */
export class Subflow implements SubflowState {
  readonly index: number;
  readonly endpoint: TcpEndpoint;
  /** The peer asked for it. */
  isBackup = false;
  readonly #queue: Chunk[] = [];
  #head = 0;
  #queuedBytes = 0;
  #sendMemoryBytes = 0;
  #assignedBytes = 0;
  #timeoutsInARow = 0;
  #ackedAtTimeout = 0;
  #markedStale = false;

  constructor(index: number, endpoint: TcpEndpoint) {
    this.index = index;
    this.endpoint = endpoint;
  }

  get isUsable(): boolean {
    return this.endpoint.state === 'established';
  }

  get isStale(): boolean {
    return this.#markedStale && this.#unanswered > 0;
  }

  /** Whether it may take over what is stuck on another one: it is up and not itself without an answer. */
  get canHelp(): boolean {
    return this.isUsable && this.#unanswered < LOSS_TIMEOUTS;
  }

  get srttNs(): number {
    return this.endpoint.sender.roundTrip.srttNs;
  }

  get minRttNs(): number {
    return this.endpoint.sender.roundTrip.minNs;
  }

  get rttVarianceNs(): number {
    return this.endpoint.sender.roundTrip.varianceNs;
  }

  get cwnd(): number {
    return this.endpoint.sender.congestion.cwnd;
  }

  get ssthresh(): number {
    return this.endpoint.sender.congestion.ssthresh;
  }

  get inFlight(): number {
    return this.endpoint.sender.inFlight;
  }

  get room(): number {
    return this.endpoint.sender.room - Math.ceil(this.#queuedBytes / this.segmentBytes);
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get pendingBytes(): number {
    return this.#assignedBytes - this.endpoint.sender.bytesAcked;
  }

  /** Memory of the send buffer. */
  get sendMemoryBytes(): number {
    const segments = 2 * Math.max(INITIAL_WINDOW, Math.floor(this.cwnd));
    const wanted = Math.min(segments * SEGMENT_MEMORY_BYTES, MAX_SEND_BUFFER_BYTES);
    this.#sendMemoryBytes = Math.max(this.#sendMemoryBytes, wanted);
    return this.#sendMemoryBytes;
  }

  get sendBufferBytes(): number {
    return this.sendMemoryBytes / MEMORY_PER_BYTE;
  }

  get pacingBps(): number {
    return this.endpoint.sender.pacingBps;
  }

  get segmentBytes(): number {
    return this.endpoint.segmentBytes;
  }

  get inRecovery(): boolean {
    return this.endpoint.sender.state !== 'open';
  }

  /** Gives it something to send. */
  assign(chunk: Chunk): void {
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.bytes;
    this.#assignedBytes += chunk.bytes;
  }

  /** The next chunk to send; they are at most a segment long as they are. */
  take(): Chunk | undefined {
    const chunk = this.#queue[this.#head];
    if (chunk === undefined) return undefined;
    this.#head += 1;
    this.#queuedBytes -= chunk.bytes;
    if (this.#head === this.#queue.length) {
      this.#queue.length = 0;
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      // One that never runs empty would keep everything it ever held.
      this.#queue.splice(0, this.#head);
      this.#head = 0;
    }
    return chunk;
  }

  /**
   * A time-out passed.
   * @param hasHelper another subflow may take over; without one it goes on as it is
   * @returns whether it is stale now
   */
  onTimeout(hasHelper: boolean): boolean {
    this.#timeoutsInARow = this.#unanswered + 1;
    this.#ackedAtTimeout = this.endpoint.sender.bytesAcked;
    this.#markedStale = hasHelper && this.#timeoutsInARow >= STALE_TIMEOUTS;
    return this.#markedStale;
  }

  /** Time-outs in a row since the last answer. */
  get #unanswered(): number {
    return this.endpoint.sender.bytesAcked === this.#ackedAtTimeout ? this.#timeoutsInARow : 0;
  }

  /** What it was given and the other end has not acknowledged, in order. */
  unfinished(): Chunk[] {
    return [...this.endpoint.sender.unacknowledged(), ...this.#queue.slice(this.#head)];
  }
}
