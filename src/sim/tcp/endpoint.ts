import type { CongestionControl } from '../congestion/congestion-control';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { Ecn, Packet, type Receiver } from '../packet';
import { TcpReceiver } from './receiver';
import { TcpSegment, type Chunk, type ConnectionFields, type ChunkSource } from './segment';
import { TcpSender } from './sender';

/** IP and TCP headers with time stamps. */
const HEADER_BYTES = 52;
/** IP and TCP headers with MSS, SACK permission, time stamps and window scale. */
const SYN_BYTES = 60;
/**
 * A lost SYN or SYN-ACK is retransmitted after one second, five times (Linux since 6.5:
 * tcp_syn_linear_timeouts), then after two, four and so on. Measured on 6.18 with 250 ticks a second: 1.024 s, because the kernel's
 * timer wheel rounds up to 32 ms.
 */
const SYN_TIMEOUT_NS = 1.024e9;
const SYN_LINEAR_TIMEOUTS = 4;
/** The first SYN, and ten retransmissions: four linear ones and net.ipv4.tcp_syn_retries. */
const SYN_TRIES = 11;

export interface EndpointOptions {
  /** The links to the other end, in order. */
  route: readonly Receiver[];
  /** Flow queue key of its packets. */
  flow: number;
  /** Largest IP packet. */
  mtuBytes: number;
  /** Option bytes of the layer above in each data segment: MPTCP's DSS takes 28. */
  optionBytes: number;
  /** Both ends support ECN. */
  ecn: boolean;
  congestion: CongestionControl;
  source: ChunkSource;
  onChunk: (chunk: Chunk) => void;
  /** Fields of the layer above for every segment; read at once, so one object may be reused. */
  connectionFields: () => ConnectionFields;
  /** Called with the fields from the other end's layer above. */
  onConnectionFields: (fields: ConnectionFields) => void;
  onEstablished: () => void;
  /** Called after each received segment, once both halves have processed it. */
  onAcked?: () => void;
}

/** One end of a TCP connection or of a subflow. Create two and connect them by {@link TcpEndpoint.meet}. */
export class TcpEndpoint implements Receiver {
  readonly sender: TcpSender;
  readonly receiver: TcpReceiver;
  readonly options: EndpointOptions;
  /** Payload of a full segment. */
  readonly segmentBytes: number;
  state: 'closed' | 'connecting' | 'established' = 'closed';
  /** Smoothed round trip seen by the receiver, from echoed time stamps of data; 0 before the first. */
  receiveRttNs = 0;
  #lastEchoNs = -1;
  readonly #simulation: Simulation;
  readonly #synTimer: Timer;
  #route: readonly Receiver[] = [];
  /** Delivered packets of this end, for reuse. */
  readonly #free: Packet[] = [];
  #other: TcpEndpoint | undefined;
  #synTries = 0;
  /** Time stamp that our SYN echoes, if the other end's SYN came first. */
  #synEchoNs = -1;
  #sendsCwr = false;
  #cwrSeq = -1;

  constructor(simulation: Simulation, options: EndpointOptions) {
    this.#simulation = simulation;
    this.options = options;
    this.segmentBytes = options.mtuBytes - HEADER_BYTES - options.optionBytes;
    this.#synTimer = new Timer(simulation, () => this.#sendSyn(this.#synEchoNs));
    this.sender = new TcpSender(simulation, {
      segmentBytes: this.segmentBytes,
      headerBytes: HEADER_BYTES + options.optionBytes,
      congestion: options.congestion,
      source: options.source,
      transmit: (chunk, seq) => this.#send(chunk, seq),
    });
    this.receiver = new TcpReceiver(simulation, {
      onChunk: options.onChunk,
      acknowledge: () => this.acknowledge(),
    });
  }

  /** Connects two ends with each other. */
  static meet(one: TcpEndpoint, other: TcpEndpoint): void {
    one.#route = [...one.options.route, other];
    other.#route = [...other.options.route, one];
    one.#other = other;
    other.#other = one;
  }

  /** SYNs sent so far, or SYN-ACKs. */
  get synTries(): number {
    return this.#synTries;
  }

  /** Begins the three-way handshake. */
  connect(): void {
    this.state = 'connecting';
    this.#sendSyn();
  }

  /** Closes at once: it sends and accepts nothing more. */
  close(): void {
    this.state = 'closed';
    this.#synTimer.cancel();
    this.sender.close();
    this.receiver.close();
  }

  /** Sends a pure acknowledgement, such as a window update. */
  acknowledge(): void {
    if (this.state === 'established') this.#send(undefined, this.sender.bytesSent);
  }

  receive(packet: Packet): void {
    this.#take(packet.payload as TcpSegment, packet.ecn);
    if (this.#other !== undefined) this.#other.#free.push(packet);
  }

  #take(segment: TcpSegment, packetEcn: number): void {
    if (segment.syn) this.#onSyn(segment);
    if (this.state !== 'established') {
      // The handshake's last step may be lost; the first data segment replaces it.
      if (this.state !== 'connecting' || segment.syn) return;
      this.#establish(segment.echoNs);
    }
    if (segment.syn) return;
    this.options.onConnectionFields(segment);
    // The first mark in a window of data is answered by CWR with the next new data.
    if (segment.ece && segment.ack > this.#cwrSeq) {
      this.#sendsCwr = true;
      this.#cwrSeq = this.sender.bytesSent;
    }
    // Linux (tcp_rcv_rtt_measure_ts): each echoed time counts once. The same one comes again while nothing is sent back.
    if (segment.chunk !== undefined && segment.echoNs > this.#lastEchoNs) {
      const sampleNs = this.#simulation.nowNs - segment.echoNs;
      this.receiveRttNs += this.receiveRttNs === 0 ? sampleNs : (sampleNs - this.receiveRttNs) / 8;
      this.#lastEchoNs = segment.echoNs;
    }
    this.sender.onAck(segment);
    this.receiver.onSegment(segment, packetEcn);
    this.options.onAcked?.();
  }

  #onSyn(segment: TcpSegment): void {
    this.receiver.noteTime(segment.sentNs);
    if (this.state === 'closed' && segment.echoNs < 0) {
      // The server answers, and repeats its answer if that was lost.
      this.state = 'connecting';
      this.#sendSyn(segment.sentNs);
    } else if (this.state === 'connecting' && segment.echoNs < 0) {
      this.#sendSyn(segment.sentNs);
    } else if (segment.echoNs >= 0) {
      if (this.state === 'connecting') this.#establish(segment.echoNs);
      this.acknowledge();
    }
  }

  #establish(echoNs: number): void {
    this.state = 'established';
    this.#synTimer.cancel();
    this.sender.start(echoNs >= 0 ? this.#simulation.nowNs - echoNs : undefined);
    this.options.onEstablished();
  }

  #sendSyn(echoNs = -1): void {
    if (this.state !== 'connecting') return;
    this.#synEchoNs = echoNs;
    this.#synTries += 1;
    if (this.#synTries > SYN_TRIES) {
      this.close();
      return;
    }
    this.#synTimer.setIn(
      SYN_TIMEOUT_NS * 2 ** Math.max(0, this.#synTries - 1 - SYN_LINEAR_TIMEOUTS),
    );
    const syn = this.#packet(undefined, 0, echoNs);
    (syn.payload as TcpSegment).syn = true;
    syn.sizeBytes = SYN_BYTES;
    syn.forward();
  }

  #send(chunk: Chunk | undefined, seq: number): void {
    const packet = this.#packet(chunk, seq, this.receiver.echoNs);
    if (chunk !== undefined) {
      this.#sendsCwr = false;
      packet.sizeBytes += chunk.bytes + this.options.optionBytes;
      if (this.options.ecn) packet.ecn = Ecn.ect0;
    }
    this.receiver.onAckSent();
    packet.forward();
  }

  #packet(chunk: Chunk | undefined, seq: number, echoNs: number): Packet {
    const packet =
      this.#free.pop() ??
      new Packet(0, this.options.flow, Ecn.notCapable, this.#route, new TcpSegment());
    packet.sizeBytes = HEADER_BYTES;
    packet.ecn = Ecn.notCapable;
    packet.hop = 0;
    const segment = packet.payload as TcpSegment;
    segment.syn = false;
    segment.seq = seq;
    segment.chunk = chunk;
    segment.ack = this.receiver.nextSeq;
    this.receiver.sack(segment.sack);
    segment.sentNs = this.#simulation.nowNs;
    segment.echoNs = echoNs;
    segment.ece = this.receiver.ece;
    segment.cwr = this.#sendsCwr && chunk !== undefined;
    const fields = this.options.connectionFields();
    segment.dataAck = fields.dataAck;
    segment.windowEnd = fields.windowEnd;
    segment.wantsBackup = fields.wantsBackup;
    return packet;
  }
}
