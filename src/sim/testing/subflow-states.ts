import type { ConnectionState, Scheduler, SubflowState } from '../schedulers/scheduler';

export const ms = 1e6;

/** A subflow as a scheduler sees it: 20 ms, 20 segments of window, nothing under way. */
export function subflow(index: number, changes: Partial<SubflowState> = {}): SubflowState {
  return {
    index,
    isUsable: true,
    isBackup: false,
    isStale: false,
    srttNs: 20 * ms,
    minRttNs: 20 * ms,
    rttVarianceNs: ms,
    cwnd: 20,
    ssthresh: Infinity,
    inFlight: 0,
    room: 20,
    queuedBytes: 0,
    pendingBytes: 0,
    sendBufferBytes: 40 * 1420,
    pacingBps: 10e6,
    segmentBytes: 1420,
    inRecovery: false,
    ...changes,
  };
}

/** One whose window is full. */
export function full(index: number, changes: Partial<SubflowState> = {}): SubflowState {
  return subflow(index, { room: 0, inFlight: 20, ...changes });
}

export const connectionState: ConnectionState = {
  nowNs: 0,
  unsentBytes: 1e6,
  windowBytes: 1e6,
  outstandingBytes: 0,
  bufferBytes: 1e6,
};

/** The index picked for one segment, as a connection asks, whatever the scheduler needs of it. */
export function pickFrom(
  scheduler: Scheduler,
  subflows: readonly SubflowState[],
  changes: Partial<ConnectionState> = {},
): number | undefined {
  return scheduler.pick(subflows, { ...connectionState, ...changes })?.index;
}
