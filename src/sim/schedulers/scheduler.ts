/** A scheduler's view of one subflow. */
export interface SenderSubflow {
  /** Index among the connection's subflows; constant while it lives. */
  readonly index: number;
  /** Established, not closed. */
  readonly isUsable: boolean;
  /** Used only when no other subflow remains. */
  readonly isBackup: boolean;
  /** Its time-outs went unanswered: unusable until it makes progress again. */
  readonly isStale: boolean;
  /** 0 before the first sample. */
  readonly srttNs: number;
  readonly minRttNs: number;
  /** Mean deviation of round trips. */
  readonly rttVarianceNs: number;
  /** Segments. */
  readonly cwnd: number;
  readonly ssthresh: number;
  readonly inFlight: number;
  /** Segments the window still allows, minus those in the subflow's queue. */
  readonly room: number;
  /** Assigned to it and not sent yet. */
  readonly queuedBytes: number;
  /** Assigned to it and not acknowledged by it yet, sent or not. */
  readonly pendingBytes: number;
  /** Upper bound of pending data for a scheduler that ignores windows: the send buffer, which never shrinks. */
  readonly sendBufferBytes: number;
  /** Bits per second at which it would send. */
  readonly pacingBps: number;
  readonly segmentBytes: number;
  /** True in loss recovery. */
  readonly inRecovery: boolean;
}

/** A scheduler's view of the connection. */
export interface ConnectionState {
  readonly nowNs: number;
  /** Written by the application and not assigned to a subflow. */
  readonly unsentBytes: number;
  /** Space left in the peer's receive buffer. */
  readonly windowBytes: number;
  /** Assigned and not acknowledged at connection level. */
  readonly outstandingBytes: number;
  /** The peer's whole receive buffer. */
  readonly bufferBytes: number;
}

/**
 * Chooses the subflow for the next segment of a connection. One object per connection. It is called for one
 * segment at a time, after each acknowledgement and each write.
 */
export interface Scheduler {
  readonly name: string;
  /**
   * Called after each acknowledgement or write, even with nothing left to assign: for schedulers that
   * measure.
   */
  observe?(subflows: readonly SenderSubflow[], nowNs: number): void;
  /** Called before an assignment round; `pick` follows until nothing is left or it returns undefined. */
  begin?(): void;
  /**
   * @param subflows usable ones in order of their index; not empty
   * @returns one of them, or undefined to wait
   */
  pick(subflows: readonly SenderSubflow[], connection: ConnectionState): SenderSubflow | undefined;
}

/** The subflows a scheduler may use: backups only if no other is alive. */
export function eligible(subflows: readonly SenderSubflow[]): readonly SenderSubflow[] {
  // Usually all of them; called for every segment.
  if (subflows.every(isRegular)) return subflows;
  const regular = subflows.filter(isRegular);
  if (regular.length > 0) return regular;
  const alive = subflows.filter(({ isStale }) => !isStale);
  return alive.length > 0 ? alive : subflows;
}

function isRegular({ isBackup, isStale }: SenderSubflow): boolean {
  return !isBackup && !isStale;
}
