import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { Ecn } from '../packet';
import type { Chunk, TcpSegment } from './segment';

/**
 * Linux: a delayed acknowledgement waits at most 40 ms; the first segments of a connection are acknowledged
 * at once.
 */
const DELAYED_ACK_NS = 40e6;
const QUICK_ACKS = 16;
/** Three SACK blocks. */
const MAX_SACK_VALUES = 6;
/** Latest ranges remembered, so that SACK reports the newest ones first (RFC 2018, section 4). Chosen; no measurement. */
const RECENT = 8;

interface OutOfOrder {
  seq: number;
  endSeq: number;
  chunk: Chunk;
}

export interface ReceiverOptions {
  /** Called once with every chunk, in subflow order. */
  onChunk: (chunk: Chunk) => void;
  /** Sends an acknowledgement. */
  acknowledge: () => void;
}

/** The receiving half of a TCP connection: orders segments, delays and builds acknowledgements. */
export class TcpReceiver {
  /** Next byte expected. */
  nextSeq = 0;
  /** Payload bytes received, including duplicates. */
  bytesArrived = 0;
  /** Time of the last data. */
  lastDataNs = 0;
  readonly #options: ReceiverOptions;
  readonly #simulation: Simulation;
  readonly #timer: Timer;
  readonly #outOfOrder: OutOfOrder[] = [];
  /** Out-of-order ranges, merged: pairs of start and end in order. */
  readonly #ranges: number[] = [];
  /** Latest out-of-order segments, newest first. */
  readonly #recent: number[] = [];
  #unacked = 0;
  #quick = QUICK_ACKS;
  #echoNs = 0;
  #congested = false;

  constructor(simulation: Simulation, options: ReceiverOptions) {
    this.#simulation = simulation;
    this.#options = options;
    this.#timer = new Timer(simulation, () => this.#answer());
  }

  /** Time stamp to echo (RFC 7323, section 4.3). */
  get echoNs(): number {
    return this.#echoNs;
  }

  /** The handshake carries a time stamp too. */
  noteTime(sentNs: number): void {
    this.#echoNs = sentNs;
  }

  /** ECN-Echo until the sender has answered (RFC 3168, section 6.1.3). */
  get ece(): boolean {
    return this.#congested;
  }

  /** Bytes that wait for a gap to close. */
  get outOfOrderBytes(): number {
    return this.#outOfOrder.reduce((sum, { seq, endSeq }) => sum + endSeq - seq, 0);
  }

  /** Writes SACK blocks: pairs of start and end, newest first. */
  sack(blocks: number[]): void {
    blocks.length = 0;
    const ranges = this.#ranges;
    if (ranges.length === 0) return;
    for (const seq of this.#recent) {
      const place = this.#rangeOf(seq);
      if (place >= 0) addBlock(blocks, ranges[place] ?? 0, ranges[place + 1] ?? 0);
    }
    for (let place = 0; place < ranges.length && blocks.length < MAX_SACK_VALUES; place += 2) {
      addBlock(blocks, ranges[place] ?? 0, ranges[place + 1] ?? 0);
    }
  }

  /**
   * Receives a data segment.
   * @param ecn of its packet
   */
  onSegment(segment: TcpSegment, ecn: number): void {
    const { chunk, seq } = segment;
    // A pure acknowledgement has a time stamp too (RFC 7323, section 4.3).
    if (seq <= this.nextSeq) this.#echoNs = Math.max(this.#echoNs, segment.sentNs);
    if (chunk === undefined) return;
    this.bytesArrived += chunk.bytes;
    this.lastDataNs = this.#simulation.nowNs;
    if (segment.cwr) this.#congested = false;
    if (ecn === Ecn.congestion) this.#congested = true;
    const endSeq = seq + chunk.bytes;
    const inOrder = seq <= this.nextSeq && endSeq > this.nextSeq;
    const hadGap = this.#outOfOrder.length > 0;
    if (inOrder) {
      this.nextSeq = endSeq;
      this.#options.onChunk(chunk);
      this.#release();
    } else if (seq > this.nextSeq) {
      this.#keep({ seq, endSeq, chunk });
    }
    this.#unacked += 1;
    const atOnce = !inOrder || hadGap || this.#unacked >= 2 || this.#quick > 0;
    if (atOnce) this.#answer();
    else if (!this.#timer.isSet) this.#timer.setIn(DELAYED_ACK_NS);
  }

  /** An outgoing segment carries the acknowledgement, so no delayed one remains. */
  onAckSent(): void {
    this.#unacked = 0;
    this.#timer.cancel();
  }

  close(): void {
    this.#timer.cancel();
  }

  #answer(): void {
    if (this.#quick > 0) this.#quick -= 1;
    this.#options.acknowledge();
  }

  #keep(part: OutOfOrder): void {
    let place = this.#outOfOrder.length;
    while (place > 0 && (this.#outOfOrder[place - 1]?.seq ?? 0) > part.seq) place -= 1;
    this.#noteRecent(part.seq);
    // Exact duplicates are the only overlaps, because retransmissions keep their bounds.
    if (this.#outOfOrder[place - 1]?.seq === part.seq) return;
    this.#outOfOrder.splice(place, 0, part);
    this.#join(part.seq, part.endSeq);
  }

  #release(): void {
    let count = 0;
    for (const { seq, endSeq, chunk } of this.#outOfOrder) {
      if (seq > this.nextSeq) break;
      count += 1;
      if (endSeq <= this.nextSeq) continue;
      this.nextSeq = endSeq;
      this.#options.onChunk(chunk);
    }
    if (count === 0) return;
    this.#outOfOrder.splice(0, count);
    let gone = 0;
    while (gone < this.#ranges.length && (this.#ranges[gone] ?? 0) < this.nextSeq) gone += 2;
    this.#ranges.splice(0, gone);
  }

  #noteRecent(seq: number): void {
    const recent = this.#recent;
    const known = recent.indexOf(seq);
    let place = known >= 0 ? known : Math.min(recent.length, RECENT - 1);
    for (; place > 0; place -= 1) recent[place] = recent[place - 1] ?? 0;
    recent[0] = seq;
  }

  /** Index of the range that holds a byte; -1 if none does. */
  #rangeOf(seq: number): number {
    const ranges = this.#ranges;
    for (let place = ranges.length - 2; place >= 0; place -= 2) {
      if (seq >= (ranges[place] ?? 0)) return seq < (ranges[place + 1] ?? 0) ? place : -1;
    }
    return -1;
  }

  /** Adds an out-of-order segment, which overlaps no stored range. */
  #join(seq: number, endSeq: number): void {
    const ranges = this.#ranges;
    let place = ranges.length;
    while (place > 0 && (ranges[place - 2] ?? 0) > seq) place -= 2;
    const touchesBefore = place > 0 && ranges[place - 1] === seq;
    const touchesAfter = ranges[place] === endSeq;
    if (touchesBefore && touchesAfter) ranges.splice(place - 1, 2);
    else if (touchesBefore) ranges[place - 1] = endSeq;
    else if (touchesAfter) ranges[place] = seq;
    else ranges.splice(place, 0, seq, endSeq);
  }
}

function addBlock(blocks: number[], start: number, end: number): void {
  if (blocks.length >= MAX_SACK_VALUES) return;
  for (let i = 0; i < blocks.length; i += 2) if (blocks[i] === start) return;
  blocks.push(start, end);
}
