/** What a scheduler sees of one subflow. */
export interface SubflowState {
  /** Position among the connection's subflows; does not change while it lives. */
  readonly index: number;
  /** Established, not closed. */
  readonly isUsable: boolean;
  /** To be used only when no other is left. */
  readonly isBackup: boolean;
  /** Its time-outs went unanswered: as good as dead until it moves again. */
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
  /** Segments the window still lets through, less what waits in the subflow's queue. */
  readonly room: number;
  /** Assigned to it and not sent yet. */
  readonly queuedBytes: number;
  /** Assigned to it and not acknowledged by it yet, whether sent or not. */
  readonly pendingBytes: number;
  /** Most that a scheduler which asks no window may leave pending: the send buffer, which never shrinks. */
  readonly sendBufferBytes: number;
  /** Bits per second at which it would send. */
  readonly pacingBps: number;
  readonly segmentBytes: number;
  /** Repairing losses. */
  readonly inRecovery: boolean;
}

/** What a scheduler sees of the connection. */
export interface ConnectionState {
  readonly nowNs: number;
  /** Given by the application and not assigned to a subflow. */
  readonly unsentBytes: number;
  /** What the peer's receive buffer still takes. */
  readonly windowBytes: number;
  /** Assigned and not acknowledged at connection level. */
  readonly outstandingBytes: number;
  /** The peer's whole receive buffer. */
  readonly bufferBytes: number;
}

/**
 * Chooses the subflow for the next segment of a connection. One object a connection; it is asked for one segment
 * at a time, whenever an acknowledgement or new data comes.
 */
export interface Scheduler {
  readonly name: string;
  /** An acknowledgement or new data came, also where nothing is left to assign: for those that measure. */
  observe?(subflows: readonly SubflowState[], nowNs: number): void;
  /** What can be assigned now is about to be: `pick` follows until nothing is left or it says to wait. */
  begin?(): void;
  /**
   * @param subflows usable ones, in order of their index; not empty
   * @returns one of them, or undefined to wait
   */
  pick(subflows: readonly SubflowState[], connection: ConnectionState): SubflowState | undefined;
}

/** Those a scheduler may use: backups only when nothing else is alive. */
export function eligible(subflows: readonly SubflowState[]): readonly SubflowState[] {
  // Nearly always all of them; asked for with every segment.
  if (subflows.every(isRegular)) return subflows;
  const regular = subflows.filter(isRegular);
  if (regular.length > 0) return regular;
  const alive = subflows.filter(({ isStale }) => !isStale);
  return alive.length > 0 ? alive : subflows;
}

function isRegular({ isBackup, isStale }: SubflowState): boolean {
  return !isBackup && !isStale;
}
