/** Bytes of a TCP stream in one segment, with fields for the layer above at the other end. */
export interface Chunk {
  bytes: number;
  /** Offset in the stream of the connection above; for plain TCP in its own stream. */
  dataSeq: number;
}

/** Fields of the layer above in every segment. */
export interface ConnectionFields {
  /** Next byte expected of the connection's stream (MPTCP: data ack). */
  dataAck: number;
  /** Right edge of the receive window in the connection's stream. */
  windowEnd: number;
  /** MP_PRIO: the sender of this segment wants the path as a backup, or no longer (RFC 8684, section 3.3.8). Undefined: no such option. */
  wantsBackup: boolean | undefined;
}

/**
 * A TCP segment. Sequence numbers are byte offsets from 0, without wrapping; SYN and FIN take none. Segments
 * are reused after delivery: keep no reference except to the chunk.
 */
export class TcpSegment implements ConnectionFields {
  syn = false;
  seq = 0;
  /** Undefined: no data. */
  chunk: Chunk | undefined = undefined;
  ack = 0;
  /** Pairs of start and end, newest first, at most three (RFC 2018). */
  readonly sack: number[] = [];
  /** Time stamps (RFC 7323). */
  sentNs = 0;
  echoNs = 0;
  /** ECN echo and its answer (RFC 3168, section 6.1). */
  ece = false;
  cwr = false;
  dataAck = 0;
  windowEnd = 0;
  wantsBackup: boolean | undefined = undefined;
}

/** The source of a sender's data. */
export interface ChunkSource {
  /** The next bytes, at most `maxBytes`; undefined: nothing to send now. */
  take(maxBytes: number): Chunk | undefined;
  /** True if the application has no more data: rate samples are then application-limited. */
  readonly isExhausted: boolean;
}
