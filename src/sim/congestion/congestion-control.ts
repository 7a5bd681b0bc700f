/** What one acknowledgement told; keep nothing of the object. Counts are segments. */
export interface AckSample {
  nowNs: number;
  /** Newly known to have arrived, cumulatively or selectively. */
  delivered: number;
  /** Round trip of the newest segment acknowledged; undefined where only retransmissions were. */
  rttNs: number | undefined;
  srttNs: number;
  minRttNs: number;
  /** Segments in the network before this acknowledgement, and after. */
  priorInFlight: number;
  inFlight: number;
  /** The window was what limited the sender. */
  windowLimited: boolean;
  /** Segments per second delivered over the last round trip; undefined where it cannot be told. */
  deliveryRate: number | undefined;
  /** That rate was limited by the application. */
  appLimited: boolean;
  /** Delivered in all, and when the segment acknowledged now was sent. */
  totalDelivered: number;
  priorDelivered: number;
  inRecovery: boolean;
}

/** A sample to be filled in; a sender has one and fills it anew with each acknowledgement. */
export function emptyAckSample(): AckSample {
  return {
    nowNs: 0,
    delivered: 0,
    rttNs: undefined,
    srttNs: 0,
    minRttNs: 0,
    priorInFlight: 0,
    inFlight: 0,
    windowLimited: false,
    deliveryRate: undefined,
    appLimited: false,
    totalDelivered: 0,
    priorDelivered: 0,
    inRecovery: false,
  };
}

/** What a sender knows of itself, for controls that look at siblings. */
export interface SubflowView {
  /** Segments. */
  readonly cwnd: number;
  readonly srttNs: number;
  readonly isEstablished: boolean;
}

/**
 * A congestion control: decides how many segments may be in the network. One object a subflow; the sender does
 * recovery itself (RFC 6675, 6937, 8985) and asks only for windows.
 */
export interface CongestionControl {
  readonly name: string;
  /** Segments, 1 or more; the sender rounds down. */
  readonly cwnd: number;
  readonly ssthresh: number;
  /** Bits per second of what is sent; undefined: as fast as the window allows. */
  readonly pacingBps: number | undefined;
  /** Called for every acknowledgement that brought news. */
  onAck(sample: AckSample): void;
  /** A loss or a mark was found in this window of data: reduce, once. */
  onCongestion(nowNs: number, inFlight: number): void;
  /** Recovery is over. */
  onRecovered(nowNs: number): void;
  /** The retransmission timer went off. */
  onTimeout(nowNs: number, inFlight: number): void;
  /** Nothing was sent for longer than a time-out (RFC 2861). @param timeouts how many */
  onIdle(nowNs: number, timeouts: number): void;
  /** The sender stops using the window during recovery (BBR keeps its own). Default false. */
  readonly ownsRecovery?: boolean;
}

/** Initial window (RFC 6928). */
export const INITIAL_WINDOW = 10;
export const MIN_WINDOW = 2;
