import type { CongestionControl } from '../congestion/congestion-control';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { Ecn, Packet, type Receiver } from '../packet';
import { TcpReceiver } from './receiver';
import { TcpSegment, type Chunk, type ConnectionFields } from './segment';
import { TcpSender, type ChunkSource } from './sender';

/** IP and TCP headers with time stamps. */
const HEADER_BYTES = 52;
const SYN_BYTES = 60;
/** A lost SYN, or the answer to one, is sent again after a second, then two, then four. */
const SYN_TIMEOUT_NS = 1e9;
const SYN_TRIES = 7;

export interface EndpointOptions {
  /** The links to the other end, in order. */
  route: readonly Receiver[];
  /** Of its packets, for flow queues. */
  flow: number;
  /** Largest IP packet. */
  mtuBytes: number;
  /** Options of the layer above in each data segment: MPTCP's DSS takes 28. */
  optionBytes: number;
  /** Both ends understand ECN. */
  ecn: boolean;
  congestion: CongestionControl;
  source: ChunkSource;
  onChunk: (chunk: Chunk) => void;
  /** What the layer above tells in every segment; read at once, so it may be one object for ever. */
  tell: () => ConnectionFields;
  /** What the layer above of the other end told. */
  onTold: (told: ConnectionFields) => void;
  onEstablished: () => void;
  onTimeout?: () => void;
  /** Called after each segment that came in, when both halves have taken it. */
  onAcked?: () => void;
}

/** One end of a TCP connection or of a subflow. Make two and {@link TcpEndpoint.meet} them. */
export class TcpEndpoint implements Receiver {
  readonly sender: TcpSender;
  readonly receiver: TcpReceiver;
  readonly options: EndpointOptions;
  /** Payload of a full segment. */
  readonly segmentBytes: number;
  state: 'closed' | 'connecting' | 'established' = 'closed';
  readonly #simulation: Simulation;
  readonly #synTimer: Timer;
  #route: readonly Receiver[] = [];
  /** Packets of this end that have arrived, to be used again. */
  readonly #free: Packet[] = [];
  #other: TcpEndpoint | undefined;
  #synTries = 0;
  /** What our SYN echoes: the other end's, where that came first. */
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
      ...(options.onTimeout === undefined ? {} : { onTimeout: options.onTimeout }),
    });
    this.receiver = new TcpReceiver(simulation, {
      onChunk: options.onChunk,
      acknowledge: () => this.acknowledge(),
    });
  }

  /** Ties two ends together. */
  static meet(one: TcpEndpoint, other: TcpEndpoint): void {
    one.#route = [...one.options.route, other];
    other.#route = [...other.options.route, one];
    one.#other = other;
    other.#other = one;
  }

  /** Begins the three-way handshake. */
  connect(): void {
    this.state = 'connecting';
    this.#sendSyn();
  }

  /** Ends at once: nothing is sent or taken any more. */
  close(): void {
    this.state = 'closed';
    this.#synTimer.cancel();
    this.sender.close();
    this.receiver.close();
  }

  /** Sends an acknowledgement without data, such as one that opens the window. */
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
      // The last step of the handshake may be lost; then the first data does as well.
      if (this.state !== 'connecting' || segment.syn) return;
      this.#establish(segment.echoNs);
    }
    if (segment.syn) return;
    this.options.onTold(segment);
    // The first mark of a window of data is answered by CWR with the next new data.
    if (segment.ece && segment.ack > this.#cwrSeq) {
      this.#sendsCwr = true;
      this.#cwrSeq = this.sender.bytesSent;
    }
    this.sender.onAck(segment);
    this.receiver.onSegment(segment, packetEcn);
    this.options.onAcked?.();
  }

  #onSyn(segment: TcpSegment): void {
    this.receiver.noteTime(segment.sentNs);
    if (this.state === 'closed' && segment.echoNs < 0) {
      // We are the server: answer, and again when the answer got lost.
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
    this.#synTimer.setIn(SYN_TIMEOUT_NS * 2 ** (this.#synTries - 1));
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
    const told = this.options.tell();
    segment.dataAck = told.dataAck;
    segment.windowEnd = told.windowEnd;
    segment.wantsBackup = told.wantsBackup;
    return packet;
  }
}
