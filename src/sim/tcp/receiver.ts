import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { Ecn } from '../packet';
import type { Chunk, TcpSegment } from './segment';

/** Linux: at most 40 ms for a second segment to come; the first ones of a connection are answered at once. */
const DELAYED_ACK_NS = 40e6;
const QUICK_ACKS = 16;
const MAX_SACK_BLOCKS = 3;

interface Held {
  seq: number;
  endSeq: number;
  chunk: Chunk;
}

export interface ReceiverOptions {
  /** Told every chunk once, in the order of the subflow's stream. */
  onChunk: (chunk: Chunk) => void;
  /** Puts an acknowledgement on the wire. */
  acknowledge: () => void;
}

/** The receiving half of a TCP connection: puts segments in order, delays and makes acknowledgements. */
export class TcpReceiver {
  /** Next byte expected. */
  nextSeq = 0;
  /** Payload bytes that arrived, doubles included. */
  bytesArrived = 0;
  /** When the last data came. */
  lastDataNs = 0;
  readonly #options: ReceiverOptions;
  readonly #simulation: Simulation;
  readonly #timer: Timer;
  readonly #held: Held[] = [];
  /** Starts of the ranges that grew last, latest first. */
  #recent: number[] = [];
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
  get heldBytes(): number {
    return this.#held.reduce((sum, { seq, endSeq }) => sum + endSeq - seq, 0);
  }

  /** SACK blocks: pairs of start and end, the latest first. */
  sack(): number[] {
    if (this.#held.length === 0) return [];
    const ranges = this.#ranges();
    const blocks: number[] = [];
    const add = (range: [number, number]): void => {
      if (blocks.length < 2 * MAX_SACK_BLOCKS) blocks.push(...range);
    };
    const used = new Set<number>();
    for (const seq of this.#recent) {
      const range = ranges.find(([start, end]) => seq >= start && seq < end);
      if (range === undefined || used.has(range[0])) continue;
      used.add(range[0]);
      add(range);
    }
    for (const range of ranges) if (!used.has(range[0])) add(range);
    return blocks;
  }

  /** A data segment came in. @param ecn of its packet */
  onSegment(segment: TcpSegment, ecn: number): void {
    const { chunk, seq } = segment;
    if (chunk === undefined) return;
    this.bytesArrived += chunk.bytes;
    this.lastDataNs = this.#simulation.nowNs;
    if (segment.cwr) this.#congested = false;
    if (ecn === Ecn.congestion) this.#congested = true;
    const endSeq = seq + chunk.bytes;
    const inOrder = seq <= this.nextSeq && endSeq > this.nextSeq;
    if (seq <= this.nextSeq) this.#echoNs = segment.sentNs;
    const hadGap = this.#held.length > 0;
    if (inOrder) {
      this.nextSeq = endSeq;
      this.#options.onChunk(chunk);
      this.#release();
    } else if (seq > this.nextSeq) {
      this.#hold({ seq, endSeq, chunk });
    }
    this.#unacked += 1;
    const atOnce = !inOrder || hadGap || this.#unacked >= 2 || this.#quick > 0;
    if (atOnce) this.#answer();
    else if (!this.#timer.isSet) this.#timer.setIn(DELAYED_ACK_NS);
  }

  /** A segment that goes out carries the acknowledgement: nothing waits any more. */
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

  #hold(held: Held): void {
    let place = this.#held.length;
    while (place > 0 && (this.#held[place - 1]?.seq ?? 0) > held.seq) place -= 1;
    this.#recent = [held.seq, ...this.#recent.filter((seq) => seq !== held.seq)].slice(0, 8);
    // The same segment twice is the only overlap there is: segments are sent again as they were.
    if (this.#held[place - 1]?.seq === held.seq) return;
    this.#held.splice(place, 0, held);
  }

  #release(): void {
    let count = 0;
    for (const { seq, endSeq, chunk } of this.#held) {
      if (seq > this.nextSeq) break;
      count += 1;
      if (endSeq <= this.nextSeq) continue;
      this.nextSeq = endSeq;
      this.#options.onChunk(chunk);
    }
    this.#held.splice(0, count);
  }

  #ranges(): [number, number][] {
    const ranges: [number, number][] = [];
    for (const { seq, endSeq } of this.#held) {
      const last = ranges.at(-1);
      if (last?.[1] === seq) last[1] = endSeq;
      else ranges.push([seq, endSeq]);
    }
    return ranges;
  }
}
