import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { ConnectionState, Scheduler } from '../schedulers/scheduler';
import type { Chunk, ConnectionFields } from '../tcp/segment';
import { ChunkQueue } from './chunk-queue';
import { Reassembly } from './reassembly';
import { ReceiveWindow } from './receive-window';
import type { Subflow } from './subflow';

/**
 * Linux keeps unacknowledged data in page fragments of 32 kB (SKB_FRAG_PAGE_ORDER). A retransmission period
 * reinjects the rest of the first one, and no more (__mptcp_retrans).
 */
const FRAGMENT_BYTES = 32_768;
/** The connection's retransmission period where no subflow's timer runs (TCP_RTO_MIN). */
const LEAST_PERIOD_NS = 200e6;
/** Linux (__mptcp_sync_sndbuf): the connection's send buffer is the sum of its subflows' buffers plus this. */
const LEAST_SEND_BUFFER_BYTES = 4096;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface MptcpEndOptions {
  scheduler: Scheduler;
  /** Capacity for data that is out of order or unread, of this end and of the other. */
  bufferBytes: number;
  /** Both windows have their full size from the start; else they grow as Linux tunes them. */
  fixedBuffer: boolean;
}

/**
 * One end of an MPTCP connection (RFC 8684): one data stream over all subflows, one shared receive buffer,
 * and reinjection of data that is stuck on one subflow.
 */
export class MptcpEnd {
  readonly subflows: Subflow[] = [];
  onReceive: ((bytes: number) => void) | undefined;
  /** Called with every chunk assigned to a subflow, including reinjections. */
  onAssign: ((chunk: Chunk, index: number) => void) | undefined;
  /** Called with the data ack whenever it advances. */
  onDataAck: ((dataAck: number) => void) | undefined;
  /** Bytes written and not assigned to a subflow yet. */
  unsentBytes = 0;
  /** Bytes reinjected on a second subflow. */
  reinjectedBytes = 0;
  readonly reassembly = new Reassembly();
  readonly #simulation: Simulation;
  readonly #options: MptcpEndOptions;
  readonly #timer: Timer;
  /** Indices of the paths that this end wants as backups. */
  readonly #backups = new Set<number>();
  #nextSeq = 0;
  #unaSeq = 0;
  /** Bytes that the application has put into the send buffer; the rest of its data waits outside. */
  #writtenSeq = 0;
  #windowEnd: number;
  readonly #window: ReceiveWindow;
  #unreadBytes = 0;
  /** Right edge of the window advertised to the other end. */
  #advertisedEnd = 0;
  /** Assigned and not acknowledged at connection level. */
  readonly #owed = new ChunkQueue();
  #again: Chunk[] = [];
  /** The connection's retransmission period; follows the subflows' timers when data is assigned. */
  #periodNs = LEAST_PERIOD_NS;
  #open = true;
  /** Reused objects, because every packet asks for them. */
  readonly #fields: ConnectionFields = { dataAck: 0, windowEnd: 0, wantsBackup: false };
  readonly #seen: Mutable<ConnectionState> = {
    nowNs: 0,
    unsentBytes: 0,
    windowBytes: 0,
    outstandingBytes: 0,
    bufferBytes: 0,
  };

  constructor(simulation: Simulation, options: MptcpEndOptions) {
    this.#simulation = simulation;
    this.#options = options;
    this.#window = new ReceiveWindow(options.bufferBytes, options.fixedBuffer);
    this.#windowEnd = this.#window.bytes;
    this.#timer = new Timer(simulation, () => this.#onStuck());
  }

  /** Bytes that arrived here in order. */
  get receivedBytes(): number {
    return this.reassembly.nextSeq;
  }

  /** Bytes acknowledged by the other end at connection level. */
  get ackedBytes(): number {
    return this.#unaSeq;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  send(bytes: number): void {
    this.unsentBytes += bytes;
    this.push();
  }

  /** Asks the other end to use a path as a backup only, or withdraws that request (MP_PRIO). */
  setBackup(index: number, isBackup: boolean): void {
    if (isBackup) this.#backups.add(index);
    else this.#backups.delete(index);
    const subflow = this.subflows[index];
    if (subflow !== undefined) subflow.isBackup = isBackup;
    subflow?.endpoint.acknowledge();
  }

  /**
   * The application stops reading: in-order bytes fill the receive buffer until it reads them. An application
   * that never calls this reads everything at once.
   */
  leaveUnread(bytes: number): void {
    this.#unreadBytes += bytes;
  }

  /** The application reads bytes; a window update goes out if the window opens enough. */
  read(bytes: number): void {
    const oldEnd = this.#advertisedEnd;
    this.#unreadBytes -= bytes;
    this.#offer();
    // Like Linux (mptcp_cleanup_rbuf), when the window doubles. On every subflow, because one of them may
    // lose it.
    const { nextSeq } = this.reassembly;
    if (this.#advertisedEnd === oldEnd || this.#advertisedEnd - nextSeq < 2 * (oldEnd - nextSeq))
      return;
    for (const { endpoint } of this.subflows) endpoint.acknowledge();
  }

  /** Fields that every segment of a subflow carries. */
  connectionFields(index: number): ConnectionFields {
    this.#offer();
    const fields = this.#fields;
    fields.dataAck = this.reassembly.nextSeq;
    fields.windowEnd = this.#advertisedEnd;
    fields.wantsBackup = this.#backups.has(index);
    return fields;
  }

  /** Advances the window by at least a segment, or half of a tiny buffer (RFC 1122, 4.2.3.3). */
  #offer(): void {
    const windowBytes = this.#window.bytes;
    const end = this.reassembly.nextSeq - this.#unreadBytes + windowBytes;
    const leastBytes = Math.min(this.subflows[0]?.segmentBytes ?? 0, windowBytes / 2);
    if (end - this.#advertisedEnd >= leastBytes) this.#advertisedEnd = end;
  }

  onConnectionFields(index: number, { dataAck, windowEnd, wantsBackup }: ConnectionFields): void {
    const subflow = this.subflows[index];
    if (subflow !== undefined) subflow.isBackup = wantsBackup || this.#backups.has(index);
    this.#windowEnd = Math.max(this.#windowEnd, windowEnd);
    if (dataAck > this.#unaSeq) {
      this.#unaSeq = dataAck;
      this.onDataAck?.(dataAck);
      while ((this.#owed.first?.dataSeq ?? Infinity) < dataAck) this.#owed.shift();
      if (this.#again.length > 0) {
        this.#again = this.#again.filter(({ dataSeq }) => dataSeq >= dataAck);
      }
      if (this.#nextSeq === dataAck && this.unsentBytes === 0) this.#timer.cancel();
      else this.#timer.setIn(this.#periodNs);
    }
  }

  /** Receives a chunk in its subflow's order. */
  onChunk(chunk: Chunk): void {
    const bytes = this.reassembly.add(chunk);
    if (bytes === 0) return;
    this.onReceive?.(bytes);
    let longestNs = 0;
    for (const { endpoint } of this.subflows) {
      longestNs = Math.max(longestNs, endpoint.receiveRttNs);
    }
    this.#window.onRead(bytes, this.#simulation.nowNs, longestNs);
  }

  /** A subflow closes: everything unacknowledged is reinjected. Call it before its endpoint closes. */
  onGone(index: number): void {
    const subflow = this.subflows[index];
    if (subflow === undefined) return;
    subflow.endpoint.close();
    this.#sendAllAgain();
    this.push();
  }

  /** Assigns all data that fits. */
  push(): void {
    if (!this.#open) return;
    const { scheduler } = this.#options;
    if (scheduler.observe !== undefined) {
      scheduler.observe(this.subflows.filter(isUsable), this.#simulation.nowNs);
    }
    if (this.#nextBytes() > 0) this.#assign();
  }

  close(): void {
    this.#open = false;
    this.#timer.cancel();
    for (const { endpoint } of this.subflows) endpoint.close();
  }

  #assign(): void {
    const usable = this.subflows.filter(isUsable);
    const touched: Subflow[] = [];
    this.#options.scheduler.begin?.();
    while (usable.length > 0 && this.#nextBytes() > 0) {
      const picked = this.#options.scheduler.pick(usable, this.#state());
      const subflow = picked === undefined ? undefined : this.subflows[picked.index];
      if (subflow === undefined) break;
      const chunk = this.#next();
      subflow.assign(chunk);
      this.onAssign?.(chunk, subflow.index);
      if (!touched.includes(subflow)) touched.push(subflow);
      // A window that opens at once keeps a subflow's queue short.
      if (subflow.room > 0) subflow.endpoint.sender.push();
    }
    for (const subflow of touched) subflow.endpoint.sender.push();
    this.#periodNs = this.#longestTimeoutNs();
    if (touched.length > 0 && !this.#timer.isSet) this.#timer.setIn(this.#periodNs);
  }

  #longestTimeoutNs(): number {
    let longestNs = 0;
    for (const subflow of this.subflows) {
      if (subflow.isUsable && !subflow.isStale) {
        longestNs = Math.max(longestNs, subflow.timeoutLeftNs);
      }
    }
    return longestNs > 0 ? longestNs : LEAST_PERIOD_NS;
  }

  #state(): ConnectionState {
    const seen = this.#seen;
    seen.nowNs = this.#simulation.nowNs;
    seen.unsentBytes = this.unsentBytes;
    seen.windowBytes = Math.max(0, this.#windowEnd - this.#nextSeq);
    seen.outstandingBytes = this.#nextSeq - this.#unaSeq;
    seen.bufferBytes = this.#options.bufferBytes;
    return seen;
  }

  /** Bytes to assign next; reinjections come first. */
  #nextBytes(): number {
    const again = this.#again[0];
    if (again !== undefined) return again.bytes;
    const segmentBytes = this.subflows[0]?.segmentBytes ?? 0;
    if (this.#writtenSeq - this.#nextSeq < segmentBytes) this.#write();
    const bytes = Math.min(this.unsentBytes, segmentBytes);
    // Whole segments, or the end of the available data.
    if (this.#writtenSeq - this.#nextSeq < bytes) return 0;
    return Math.min(bytes, this.#windowEnd - this.#nextSeq);
  }

  /**
   * The application fills the send buffer, which holds all data not acknowledged at connection level. After
   * it was full, the application continues only when a third is free (Linux: sk_stream_is_writeable).
   */
  #write(): void {
    let bufferBytes = LEAST_SEND_BUFFER_BYTES;
    for (const subflow of this.subflows) {
      if (subflow.isUsable) bufferBytes += subflow.sendMemoryBytes;
    }
    if (this.#writtenSeq - this.#unaSeq > (bufferBytes * 2) / 3) return;
    this.#writtenSeq = Math.max(this.#writtenSeq, this.#unaSeq + bufferBytes);
  }

  /** Takes them. */
  #next(): Chunk {
    const again = this.#again.shift();
    if (again !== undefined) {
      this.reinjectedBytes += again.bytes;
      return again;
    }
    const chunk = { bytes: this.#nextBytes(), dataSeq: this.#nextSeq };
    this.unsentBytes -= chunk.bytes;
    this.#nextSeq += chunk.bytes;
    this.#owed.push(chunk);
    return chunk;
  }

  /** Linux (__mptcp_retransmit_pending_data): what arrived out of order is sent again too. */
  #sendAllAgain(): void {
    this.#again = this.#owed.toArray();
  }

  /** A retransmission period without an acknowledgement at connection level (__mptcp_retrans). */
  #onStuck(): void {
    this.#timer.setIn(this.#periodNs);
    const helper = this.#findHelper();
    // Data that is about to be sent again anyway is not reinjected here.
    if (helper !== undefined && this.#again.length === 0) {
      const endSeq = (Math.floor(this.#unaSeq / FRAGMENT_BYTES) + 1) * FRAGMENT_BYTES;
      for (const chunk of this.#owed.toArray()) {
        if (chunk.dataSeq >= endSeq) break;
        this.reinjectedBytes += chunk.bytes;
        helper.assign(chunk);
        this.onAssign?.(chunk, helper.index);
      }
      helper.endpoint.sender.push();
    }
    this.push();
  }

  /**
   * Linux (mptcp_subflow_get_retrans): the first subflow with nothing outstanding takes over the head of the
   * line, a backup only if all others made no progress. Subflows with data outstanding may become stale here.
   */
  #findHelper(): Subflow | undefined {
    let backup: Subflow | undefined;
    let first: Subflow | undefined;
    let leastSilent = Infinity;
    for (const subflow of this.subflows) {
      if (!subflow.isUsable) continue;
      if (subflow.pendingBytes > 0) {
        this.#checkStale(subflow);
        leastSilent = Math.min(leastSilent, subflow.silentPeriods);
      } else if (subflow.isBackup) backup ??= subflow;
      else first ??= subflow;
    }
    return first ?? (leastSilent > 1 ? backup : undefined);
  }

  #checkStale(subflow: Subflow): void {
    if (!subflow.countPeriod()) return;
    if (!this.subflows.some((other) => other !== subflow && other.canHelp)) return;
    subflow.markStale();
    this.#sendAllAgain();
  }
}

function isUsable(subflow: Subflow): boolean {
  return subflow.isUsable;
}
