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

/**
 * A TCP segment. Sequence numbers are byte offsets from 0, without wrapping; SYN and FIN take none. Segments are used
 * again once they have arrived: whoever gets one keeps nothing of it but the chunk.
 */
export class TcpSegment implements ConnectionFields {
  syn = false;
  seq = 0;
  /** Undefined: no data. */
  chunk: Chunk | undefined = undefined;
  ack = 0;
  /** Pairs of start and end, the latest first, at most three (RFC 2018). */
  readonly sack: number[] = [];
  /** Time stamps (RFC 7323). */
  sentNs = 0;
  echoNs = 0;
  /** ECN echo and its answer (RFC 3168, section 6.1). */
  ece = false;
  cwr = false;
  dataAck = 0;
  windowEnd = 0;
  wantsBackup = false;
}
