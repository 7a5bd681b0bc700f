/** Contents of one acknowledgement. The object is reused: keep no reference to it. Counts are segments. */
export interface AckSample {
  nowNs: number;
  /** Newly acknowledged, cumulatively or selectively. */
  delivered: number;
  /** Round trip of the newest segment acknowledged; undefined if only retransmissions were acknowledged. */
  rttNs: number | undefined;
  srttNs: number;
  minRttNs: number;
  /** Segments in flight before this acknowledgement, and after. */
  priorInFlight: number;
  inFlight: number;
  /** The window limited the sender. */
  windowLimited: boolean;
  /** Segments delivered per second over the last round trip; undefined if unknown. */
  deliveryRate: number | undefined;
  /** The application limited that rate. */
  appLimited: boolean;
  /** Segments delivered so far, and the send time of the segment acknowledged now. */
  totalDelivered: number;
  priorDelivered: number;
  inRecovery: boolean;
}

/** A sample to fill in; a sender reuses one object for every acknowledgement. */
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

/** The state of a sender, for controls that look at siblings. */
export interface SubflowView {
  /** Segments. */
  readonly cwnd: number;
  readonly srttNs: number;
  readonly isEstablished: boolean;
}

/**
 * A congestion control: decides how many segments may be in flight. One object per subflow. The sender itself
 * does loss recovery (RFC 6675, 6937, 8985) and only asks for windows.
 */
export interface CongestionControl {
  readonly name: string;
  /** Segments, 1 or more; the sender rounds down. */
  readonly cwnd: number;
  readonly ssthresh: number;
  /** Pacing rate in bits per second; undefined: as fast as the window allows. */
  readonly pacingBps: number | undefined;
  /** Called for every acknowledgement with news. */
  onAck(sample: AckSample): void;
  /** A loss or a mark was found in this window of data: reduce once. */
  onCongestion(nowNs: number, inFlight: number): void;
  /** Recovery has ended. */
  onRecovered(nowNs: number): void;
  /** The retransmission timer has expired: reduce the threshold, and then collapse. */
  onTimeout(nowNs: number, inFlight: number): void;
  /** The timer has expired within a window of data that was reduced before: one segment, the threshold stays. */
  collapse(): void;
  /** That time-out was spurious: the window is as before, or larger. Default: stays reduced. */
  undo?(): void;
  /**
   * Nothing was sent for longer than a time-out (RFC 2861).
   * @param timeouts number of time-outs that have passed
   */
  onIdle(nowNs: number, timeouts: number): void;
  /** The sender ignores the window during recovery (BBR keeps its own). Default false. */
  readonly ownsRecovery?: boolean;
}

/** Initial window (RFC 6928). */
export const INITIAL_WINDOW = 10;
/** Least window after a loss: 2 segments (RFC 5681, equation 4). */
export const MIN_WINDOW = 2;
