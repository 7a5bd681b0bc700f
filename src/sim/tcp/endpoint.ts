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
/** A lost SYN is sent again after a second, then two, then four. */
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
  /** What the layer above tells in every segment. */
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
  #synTries = 0;
  #sendsCwr = false;
  #cwrSeq = -1;

  constructor(simulation: Simulation, options: EndpointOptions) {
    this.#simulation = simulation;
    this.options = options;
    this.segmentBytes = options.mtuBytes - HEADER_BYTES - options.optionBytes;
    this.#synTimer = new Timer(simulation, () => this.#sendSyn());
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
    const segment = packet.payload as TcpSegment;
    if (segment.syn) this.#onSyn(segment);
    if (this.state !== 'established') {
      // The last step of the handshake may be lost; then the first data does as well.
      if (this.state !== 'connecting' || segment.syn) return;
      this.#establish(segment.echoNs);
    }
    if (segment.syn) return;
    this.options.onTold(segment.above);
    // The first mark of a window of data is answered by CWR with the next new data.
    if (segment.ece && segment.ack > this.#cwrSeq) {
      this.#sendsCwr = true;
      this.#cwrSeq = this.sender.bytesSent;
    }
    this.sender.onAck(segment);
    this.receiver.onSegment(segment, packet.ecn);
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
    if (echoNs < 0) {
      this.#synTries += 1;
      if (this.#synTries > SYN_TRIES) {
        this.close();
        return;
      }
      this.#synTimer.setIn(SYN_TIMEOUT_NS * 2 ** (this.#synTries - 1));
    }
    const syn = this.#segment(undefined, 0, echoNs);
    syn.syn = true;
    this.#put(SYN_BYTES, Ecn.notCapable, syn);
  }

  #send(chunk: Chunk | undefined, seq: number): void {
    const { ecn, optionBytes } = this.options;
    const segment = this.#segment(chunk, seq, this.receiver.echoNs);
    if (chunk !== undefined) this.#sendsCwr = false;
    this.receiver.onAckSent();
    const sizeBytes = HEADER_BYTES + (chunk === undefined ? 0 : chunk.bytes + optionBytes);
    this.#put(sizeBytes, ecn && chunk !== undefined ? Ecn.ect0 : Ecn.notCapable, segment);
  }

  #segment(chunk: Chunk | undefined, seq: number, echoNs: number): TcpSegment {
    return new TcpSegment({
      seq,
      chunk,
      ack: this.receiver.nextSeq,
      sack: this.receiver.sack(),
      sentNs: this.#simulation.nowNs,
      echoNs,
      ece: this.receiver.ece,
      cwr: this.#sendsCwr && chunk !== undefined,
      above: this.options.tell(),
    });
  }

  #put(sizeBytes: number, ecn: number, segment: TcpSegment): void {
    new Packet(sizeBytes, this.options.flow, ecn, this.#route, segment).forward();
  }
}
