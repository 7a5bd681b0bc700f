import { INITIAL_WINDOW } from '../congestion/congestion-control';
import type { SenderSubflow } from '../schedulers/scheduler';
import type { TcpEndpoint } from '../tcp/endpoint';
import type { Chunk } from '../tcp/segment';
import { ChunkQueue } from './chunk-queue';

/**
 * Linux (net.mptcp.stale_loss_cnt): a subflow is stale after more than this many of the connection's
 * retransmission periods without an acknowledgement.
 */
const STALE_PERIODS = 4;
/** A subflow becomes stale only beside another one with less than this (mptcp_pm_subflows_chk_stale). */
const HELPER_PERIODS = STALE_PERIODS - 1;

/**
 * Linux (tcp_sndbuf_expand): the send buffer holds two windows of segments, each with the memory of 1460
 * bytes plus headers (2304 bytes on a kernel without tunnels). It never shrinks; net.ipv4.tcp_wmem bounds it.
 */
const SEGMENT_MEMORY_BYTES = 2304;
/** Linux's default maximum of net.ipv4.tcp_wmem. */
const MAX_SEND_BUFFER_BYTES = 4_194_304;
/** Send buffer memory per byte of data; measured with `ss -m` on 6.18: 1.23 to 1.3. */
const MEMORY_PER_BYTE = 1.25;

/** One end of a subflow, with the data assigned to it and not sent yet. */
export class Subflow implements SenderSubflow {
  readonly index: number;
  readonly endpoint: TcpEndpoint;
  /** The peer asked for it. */
  isBackup = false;
  readonly #queue = new ChunkQueue();
  #queuedBytes = 0;
  #sendMemoryBytes = 0;
  #assignedBytes = 0;
  #silentPeriods = 0;
  /** Time of the last acknowledgement when the periods began. */
  #silentSinceNs = 0;
  #isStale = false;

  constructor(index: number, endpoint: TcpEndpoint) {
    this.index = index;
    this.endpoint = endpoint;
  }

  get isUsable(): boolean {
    return this.endpoint.state === 'established';
  }

  /** Any acknowledgement ends it (mptcp_subflow_active). */
  get isStale(): boolean {
    if (this.#isStale && this.#silentSinceNs !== this.endpoint.sender.lastAckNs) {
      this.#isStale = false;
    }
    return this.#isStale;
  }

  /** True if another subflow may become stale beside it. */
  get canHelp(): boolean {
    return this.isUsable && !this.isStale && this.#silentPeriods < HELPER_PERIODS;
  }

  /** The connection's retransmission periods without an acknowledgement, up to the last check. */
  get silentPeriods(): number {
    return this.#silentPeriods;
  }

  /**
   * Time left of its own retransmission timer, for the connection's (mptcp_timeout_from_subflow). A subflow
   * that has been silent does not count, or its backoff would delay the others' help.
   */
  get timeoutLeftNs(): number {
    return this.#silentPeriods > 0 ? 0 : this.endpoint.sender.timerLeftNs;
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
    return !this.endpoint.sender.isOpen;
  }

  /** Assigns a chunk to it. */
  assign(chunk: Chunk): void {
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.bytes;
    this.#assignedBytes += chunk.bytes;
  }

  /** The next chunk to send; a chunk is at most one segment long. */
  take(): Chunk | undefined {
    const chunk = this.#queue.shift();
    if (chunk !== undefined) this.#queuedBytes -= chunk.bytes;
    return chunk;
  }

  /**
   * A retransmission period of the connection has passed while this subflow had data outstanding
   * (mptcp_pm_subflow_chk_stale).
   * @returns true if it was silent for too long
   */
  countPeriod(): boolean {
    const { lastAckNs } = this.endpoint.sender;
    if (this.#silentPeriods > 0 && this.#silentSinceNs !== lastAckNs) {
      this.#silentPeriods = 0;
      this.#isStale = false;
      return false;
    }
    this.#silentSinceNs = lastAckNs;
    this.#silentPeriods += 1;
    return this.#silentPeriods > STALE_PERIODS && !this.#isStale;
  }

  /** The scheduler leaves it out until it is acknowledged again. */
  markStale(): void {
    this.#isStale = true;
  }
}
