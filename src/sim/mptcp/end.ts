import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { ConnectionState, Scheduler } from '../schedulers/scheduler';
import type { Chunk, ConnectionFields } from '../tcp/segment';
import { Reassembly } from './reassembly';
import type { Subflow } from './subflow';

/** At most so much is sent again on another subflow at a time. */
const REINJECTED_BYTES = 65_428;
const MIN_REINJECTION_NS = 200e6;
/** Linux (__mptcp_sync_sndbuf): the connection's send buffer is what its subflows have together, and so much. */
const LEAST_SEND_BUFFER_BYTES = 4096;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface MptcpEndOptions {
  scheduler: Scheduler;
  /** What this end can hold that is not in order yet or not read. */
  receiveBufferBytes: number;
  peerBufferBytes: number;
}

/**
 * One end of an MPTCP connection (RFC 8684): one stream of data over all its subflows, one receive buffer that they
 * share, and data that is stuck on one subflow sent again on another.
 */
export class MptcpEnd {
  readonly subflows: Subflow[] = [];
  onReceive: ((bytes: number) => void) | undefined;
  /** Told every chunk that is given to a subflow, those that are sent again too. */
  onAssign: ((chunk: Chunk, index: number) => void) | undefined;
  /** Told how far the other end has acknowledged the connection's stream, whenever that moves. */
  onDataAck: ((dataAck: number) => void) | undefined;
  /** Bytes handed over and not assigned to a subflow yet. */
  unsentBytes = 0;
  /** Bytes sent on a second subflow. */
  reinjectedBytes = 0;
  readonly reassembly = new Reassembly();
  readonly #simulation: Simulation;
  readonly #options: MptcpEndOptions;
  readonly #timer: Timer;
  /** Paths this end wants kept as backups, by index. */
  readonly #backups = new Set<number>();
  #nextSeq = 0;
  #unaSeq = 0;
  /** How far the application has filled the send buffer; the rest of what it handed over waits outside. */
  #writtenSeq = 0;
  #windowEnd: number;
  #unreadBytes = 0;
  /** Where the window that the other end was told ends. */
  #toldEnd = 0;
  #again: Chunk[] = [];
  #open = true;
  /** Filled anew each time, for they are asked for with every packet. */
  readonly #told: ConnectionFields = { dataAck: 0, windowEnd: 0, wantsBackup: false };
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
    this.#windowEnd = options.peerBufferBytes;
    this.#timer = new Timer(simulation, () => this.#onStuck());
  }

  /** Bytes that arrived here in order. */
  get receivedBytes(): number {
    return this.reassembly.nextSeq;
  }

  /** Bytes the other end has acknowledged at connection level. */
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

  /** Asks the other end to use a path only when no other is left, or takes that back. */
  setBackup(index: number, isBackup: boolean): void {
    if (isBackup) this.#backups.add(index);
    else this.#backups.delete(index);
    const subflow = this.subflows[index];
    if (subflow !== undefined) subflow.isBackup = isBackup;
    subflow?.endpoint.acknowledge();
  }

  /**
   * The application leaves bytes that came in order where they are: they fill the receive buffer until it reads them.
   * One that never calls this reads everything at once.
   */
  leaveUnread(bytes: number): void {
    this.#unreadBytes += bytes;
  }

  /** The application takes bytes it had left; tells the other end where that opens the window by much. */
  read(bytes: number): void {
    const oldEnd = this.#toldEnd;
    this.#unreadBytes -= bytes;
    this.#offer();
    // As Linux (mptcp_cleanup_rbuf): when the window doubles. On every subflow: one of them may lose it.
    const { nextSeq } = this.reassembly;
    if (this.#toldEnd === oldEnd || this.#toldEnd - nextSeq < 2 * (oldEnd - nextSeq)) return;
    for (const { endpoint } of this.subflows) endpoint.acknowledge();
  }

  /** What every segment on a subflow tells the other end. */
  tell(index: number): ConnectionFields {
    this.#offer();
    const told = this.#told;
    told.dataAck = this.reassembly.nextSeq;
    told.windowEnd = this.#toldEnd;
    told.wantsBackup = this.#backups.has(index);
    return told;
  }

  /** Moves the end of the window by no less than a segment, or half of a tiny buffer (RFC 1122, 4.2.3.3). */
  #offer(): void {
    const { receiveBufferBytes } = this.#options;
    const end = this.reassembly.nextSeq - this.#unreadBytes + receiveBufferBytes;
    const leastBytes = Math.min(this.subflows[0]?.segmentBytes ?? 0, receiveBufferBytes / 2);
    if (end - this.#toldEnd >= leastBytes) this.#toldEnd = end;
  }

  onTold(index: number, { dataAck, windowEnd, wantsBackup }: ConnectionFields): void {
    const subflow = this.subflows[index];
    if (subflow !== undefined) subflow.isBackup = wantsBackup || this.#backups.has(index);
    this.#windowEnd = Math.max(this.#windowEnd, windowEnd);
    if (dataAck > this.#unaSeq) {
      this.#unaSeq = dataAck;
      this.onDataAck?.(dataAck);
      if (this.#again.length > 0) {
        this.#again = this.#again.filter(({ dataSeq }) => dataSeq >= dataAck);
      }
      this.#arm();
    }
  }

  /** A chunk came out of a subflow in that subflow's order. */
  onChunk(chunk: Chunk): void {
    const bytes = this.reassembly.add(chunk);
    if (bytes > 0) this.onReceive?.(bytes);
  }

  /** A subflow's retransmission timer went off. */
  onTimeout(index: number): void {
    const subflow = this.subflows[index];
    const hasHelper = this.subflows.some((other) => other !== subflow && other.canHelp);
    if (subflow?.onTimeout(hasHelper) === true) {
      this.#sendAgain(subflow.unfinished(), Infinity);
      this.push();
    }
  }

  /** A subflow is gone: what it owed goes elsewhere. Call it before its endpoint is closed. */
  onGone(index: number): void {
    const subflow = this.subflows[index];
    if (subflow === undefined) return;
    const owed = subflow.unfinished();
    subflow.endpoint.close();
    this.#sendAgain(owed, Infinity);
    this.push();
  }

  /** Assigns what can be assigned. */
  push(): void {
    if (!this.#open) return;
    const { scheduler } = this.#options;
    if (scheduler.observe !== undefined) {
      scheduler.observe(this.subflows.filter(isUsable), this.#simulation.nowNs);
    }
    if (this.#nextBytes() > 0) this.#assign();
    if (!this.#timer.isSet) this.#arm();
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
      // A window that opens at once keeps the queue of a subflow short.
      if (subflow.room > 0) subflow.endpoint.sender.push();
    }
    for (const subflow of touched) subflow.endpoint.sender.push();
  }

  #state(): ConnectionState {
    const seen = this.#seen;
    seen.nowNs = this.#simulation.nowNs;
    seen.unsentBytes = this.unsentBytes;
    seen.windowBytes = Math.max(0, this.#windowEnd - this.#nextSeq);
    seen.outstandingBytes = this.#nextSeq - this.#unaSeq;
    seen.bufferBytes = this.#options.peerBufferBytes;
    return seen;
  }

  /** Bytes that would be assigned next: first what is sent again. */
  #nextBytes(): number {
    const again = this.#again[0];
    if (again !== undefined) return again.bytes;
    const segmentBytes = this.subflows[0]?.segmentBytes ?? 0;
    if (this.#writtenSeq - this.#nextSeq < segmentBytes) this.#write();
    const bytes = Math.min(this.unsentBytes, segmentBytes);
    // Whole segments, or the end of what there is.
    if (this.#writtenSeq - this.#nextSeq < bytes) return 0;
    return Math.min(bytes, this.#windowEnd - this.#nextSeq);
  }

  /**
   * The application fills the send buffer, which holds everything not acknowledged at connection level. Once it was
   * full, it is told only when a third is free (Linux: sk_stream_is_writeable).
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
    return chunk;
  }

  #sendAgain(chunks: readonly Chunk[], maxBytes: number): void {
    const known = new Set(this.#again.map(({ dataSeq }) => dataSeq));
    let left = maxBytes;
    for (const chunk of chunks) {
      if (chunk.dataSeq < this.#unaSeq || known.has(chunk.dataSeq)) continue;
      if (left <= 0) break;
      left -= chunk.bytes;
      // Two subflows may hold the same one.
      known.add(chunk.dataSeq);
      this.#again.push(chunk);
    }
    this.#again.sort((a, b) => a.dataSeq - b.dataSeq);
  }

  /** The connection's own timer: as long as the longest time-out of its subflows. */
  #arm(): void {
    if (this.#nextSeq === this.#unaSeq) {
      this.#timer.cancel();
      return;
    }
    let longestNs = MIN_REINJECTION_NS;
    for (const subflow of this.subflows) {
      if (!subflow.isUsable) continue;
      longestNs = Math.max(longestNs, subflow.endpoint.sender.roundTrip.rtoNs);
    }
    this.#timer.setIn(longestNs);
  }

  /**
   * Nothing moved for a time-out: a subflow with nothing of its own under way takes over the head of the line, and no
   * other one may (Linux: mptcp_subflow_get_retrans).
   */
  #onStuck(): void {
    const idle = this.subflows.filter(
      ({ isUsable, isStale, pendingBytes }) => isUsable && !isStale && pendingBytes === 0,
    );
    const helper = idle.reduce<Subflow | undefined>(
      (best, one) => (best !== undefined && best.srttNs <= one.srttNs ? best : one),
      undefined,
    );
    if (helper !== undefined) {
      const stuck = this.subflows.flatMap((subflow) => subflow.unfinished());
      stuck.sort((a, b) => a.dataSeq - b.dataSeq);
      this.#sendAgain(stuck, REINJECTED_BYTES);
      for (const chunk of this.#again.splice(0)) {
        this.reinjectedBytes += chunk.bytes;
        helper.assign(chunk);
        this.onAssign?.(chunk, helper.index);
      }
      helper.endpoint.sender.push();
    }
    this.#arm();
  }
}

function isUsable(subflow: Subflow): boolean {
  return subflow.isUsable;
}
