/** Bytes of a TCP stream as one segment carries them, with what the layer above wants to know at the other end. */
export interface Chunk {
  bytes: number;
  /** Place in the stream of the connection above; for plain TCP the place in its own stream. */
  dataSeq: number;
}

/** What the layer above says in every segment. */
export interface ConnectionFields {
  /** Next byte expected of the connection's stream (MPTCP: data ack). */
  dataAck: number;
  /** First byte of the connection's stream that does not fit into the receive buffer. */
  windowEnd: number;
  /** MP_PRIO: the sender of this wants the path kept as a backup (RFC 8684, section 3.3.8). */
  wantsBackup: boolean;
}

/** A TCP segment. Sequence numbers are byte offsets from 0, without wrapping; SYN and FIN take none. */
export class TcpSegment {
  syn = false;
  readonly seq: number;
  /** Undefined: no data. */
  readonly chunk: Chunk | undefined;
  readonly ack: number;
  /** Pairs of start and end, the latest first, at most three (RFC 2018). */
  readonly sack: readonly number[];
  /** Time stamps (RFC 7323). */
  readonly sentNs: number;
  readonly echoNs: number;
  /** ECN echo and its answer (RFC 3168, section 6.1). */
  readonly ece: boolean;
  readonly cwr: boolean;
  readonly above: ConnectionFields;

  constructor(fields: {
    seq: number;
    chunk: Chunk | undefined;
    ack: number;
    sack: readonly number[];
    sentNs: number;
    echoNs: number;
    ece: boolean;
    cwr: boolean;
    above: ConnectionFields;
  }) {
    this.seq = fields.seq;
    this.chunk = fields.chunk;
    this.ack = fields.ack;
    this.sack = fields.sack;
    this.sentNs = fields.sentNs;
    this.echoNs = fields.echoNs;
    this.ece = fields.ece;
    this.cwr = fields.cwr;
    this.above = fields.above;
  }
}
