import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { ConnectionState, Scheduler } from '../schedulers/scheduler';
import type { Chunk, ConnectionFields } from '../tcp/segment';
import { AdvertisedWindow } from './advertised-window';
import { DataSender } from './data-sender';
import { Reassembly } from './reassembly';
import type { Subflow } from './subflow';

/** The connection's retransmission period where no subflow's timer runs (TCP_RTO_MIN). */
const MIN_PERIOD_NS = 200e6;
/** Linux (__mptcp_sync_sndbuf): the connection's send buffer is the sum of its subflows' buffers plus this. */
const MIN_SEND_BUFFER_BYTES = 4096;

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
  readonly reassembly = new Reassembly();
  readonly #simulation: Simulation;
  readonly #options: MptcpEndOptions;
  readonly #timer: Timer;
  /** Indices of the subflows that this end wants as backups. */
  readonly #backups = new Set<number>();
  /** The subflow whose next segment carries MP_PRIO. */
  #priorityOf: number | undefined;
  readonly #data: DataSender;
  readonly #window: AdvertisedWindow;
  /** The connection's retransmission period; follows the subflows' timers when data is assigned. */
  #periodNs = MIN_PERIOD_NS;
  #open = true;
  /** Reused objects, because every packet asks for them. */
  readonly #fields: ConnectionFields = { dataAck: 0, windowEnd: 0, wantsBackup: undefined };
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
    this.#window = new AdvertisedWindow(options.bufferBytes, options.fixedBuffer);
    this.#data = new DataSender(this.#window.bytes, () => this.#sendBufferBytes());
    this.#timer = new Timer(simulation, () => this.#onStuck());
  }

  /** Bytes that arrived here in order. */
  get receivedBytes(): number {
    return this.reassembly.nextSeq;
  }

  /** Bytes acknowledged by the other end at connection level. */
  get ackedBytes(): number {
    return this.#data.unaSeq;
  }

  /** Bytes written and not assigned to a subflow yet. */
  get unsentBytes(): number {
    return this.#data.unsentBytes;
  }

  /** Bytes reinjected on a second subflow. */
  get reinjectedBytes(): number {
    return this.#data.reinjectedBytes;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  send(bytes: number): void {
    this.#data.unsentBytes += bytes;
    this.push();
  }

  /**
   * Asks the other end to use a subflow as a backup only, or withdraws that request. Before the handshake MP_JOIN says it.
   * Later one acknowledgement does (MP_PRIO), and if that is lost, the other end never knows, as with Linux.
   */
  setBackup(index: number, isBackup: boolean): void {
    if (isBackup) this.#backups.add(index);
    else this.#backups.delete(index);
    const subflow = this.subflows[index];
    if (subflow === undefined) return;
    subflow.isBackup = isBackup;
    this.#priorityOf = index;
    subflow.endpoint.acknowledge();
    this.#priorityOf = undefined;
  }

  /** This end wants the subflow as a backup only. */
  wantsBackup(index: number): boolean {
    return this.#backups.has(index);
  }

  /**
   * The application stops reading: in-order bytes fill the receive buffer until it reads them. An application
   * that never calls this reads everything at once.
   */
  leaveUnread(bytes: number): void {
    this.#window.unreadBytes += bytes;
  }

  /** The application reads bytes; a window update goes out if the window opens enough. */
  read(bytes: number): void {
    const isDoubled = this.#window.read(bytes, this.reassembly.nextSeq, this.#segmentBytes);
    if (!isDoubled) return;
    // Every subflow sends it, because one of them may lose it.
    for (const { endpoint } of this.subflows) endpoint.acknowledge();
  }

  /** Fields that every segment of a subflow carries. */
  connectionFields(index: number): ConnectionFields {
    this.#window.offer(this.reassembly.nextSeq, this.#segmentBytes);
    const fields = this.#fields;
    fields.dataAck = this.reassembly.nextSeq;
    fields.windowEnd = this.#window.end;
    fields.wantsBackup = this.#priorityOf === index ? this.#backups.has(index) : undefined;
    return fields;
  }

  onConnectionFields(index: number, { dataAck, windowEnd, wantsBackup }: ConnectionFields): void {
    const subflow = this.subflows[index];
    if (subflow !== undefined && wantsBackup !== undefined) {
      subflow.isBackup = wantsBackup || this.#backups.has(index);
    }
    if (!this.#data.acknowledge(dataAck, windowEnd)) return;
    this.onDataAck?.(dataAck);
    if (this.#data.isAllAcked) this.#timer.cancel();
    else this.#timer.setIn(this.#periodNs);
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

  /**
   * A subflow closes: everything unacknowledged is reinjected, unless it was never established and so carried nothing. Call it
   * before its endpoint closes.
   */
  onGone(index: number): void {
    const subflow = this.subflows[index];
    if (subflow === undefined) return;
    const { isUsable } = subflow;
    subflow.endpoint.close();
    if (!isUsable) return;
    this.#data.sendAllAgain();
    this.push();
  }

  /** Assigns all data that fits. */
  push(): void {
    if (!this.#open) return;
    const { scheduler } = this.#options;
    if (scheduler.observe !== undefined) {
      scheduler.observe(this.subflows.filter(isUsable), this.#simulation.nowNs);
    }
    if (this.#data.nextBytes(this.#segmentBytes) > 0) this.#assign();
  }

  close(): void {
    this.#open = false;
    this.#timer.cancel();
    for (const { endpoint } of this.subflows) endpoint.close();
  }

  /** Payload of a full segment. */
  get #segmentBytes(): number {
    return this.subflows[0]?.segmentBytes ?? 0;
  }

  #assign(): void {
    const usable = this.subflows.filter(isUsable);
    const touched: Subflow[] = [];
    this.#options.scheduler.begin?.();
    while (usable.length > 0 && this.#data.nextBytes(this.#segmentBytes) > 0) {
      const picked = this.#options.scheduler.pick(usable, this.#state());
      const subflow = picked === undefined ? undefined : this.subflows[picked.index];
      if (subflow === undefined) break;
      const chunk = this.#data.next(this.#segmentBytes);
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
    return longestNs > 0 ? longestNs : MIN_PERIOD_NS;
  }

  #state(): ConnectionState {
    const seen = this.#seen;
    seen.nowNs = this.#simulation.nowNs;
    seen.unsentBytes = this.#data.unsentBytes;
    seen.windowBytes = this.#data.windowBytes;
    seen.outstandingBytes = this.#data.outstandingBytes;
    seen.bufferBytes = this.#options.bufferBytes;
    return seen;
  }

  #sendBufferBytes(): number {
    let bufferBytes = MIN_SEND_BUFFER_BYTES;
    for (const subflow of this.subflows) {
      if (subflow.isUsable) bufferBytes += subflow.sendMemoryBytes;
    }
    return bufferBytes;
  }

  /** A retransmission period without an acknowledgement at connection level (__mptcp_retrans). */
  #onStuck(): void {
    this.#timer.setIn(this.#periodNs);
    const helper = this.#findHelper();
    if (helper !== undefined) {
      for (const chunk of this.#data.reinjectHead()) {
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
    let minSilent = Infinity;
    for (const subflow of this.subflows) {
      if (!subflow.isUsable) continue;
      if (subflow.pendingBytes > 0) {
        this.#checkStale(subflow);
        minSilent = Math.min(minSilent, subflow.silentPeriods);
      } else if (subflow.isBackup) backup ??= subflow;
      else first ??= subflow;
    }
    return first ?? (minSilent > 1 ? backup : undefined);
  }

  #checkStale(subflow: Subflow): void {
    if (!subflow.countPeriod()) return;
    if (!this.subflows.some((other) => other !== subflow && other.canHelp)) return;
    subflow.markStale();
    this.#data.sendAllAgain();
  }
}

function isUsable(subflow: Subflow): boolean {
  return subflow.isUsable;
}
