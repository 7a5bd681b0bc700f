import type { ConnectionState, Scheduler, SenderSubflow } from '../schedulers/scheduler';

export const MS = 1e6;

/** A scheduler's view of a subflow: 20 ms, 20 segments of window, nothing in flight. */
export function subflow(index: number, changes: Partial<SenderSubflow> = {}): SenderSubflow {
  return {
    index,
    isUsable: true,
    isBackup: false,
    isStale: false,
    srttNs: 20 * MS,
    minRttNs: 20 * MS,
    rttVarianceNs: MS,
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

/** A subflow whose window is full. */
export function full(index: number, changes: Partial<SenderSubflow> = {}): SenderSubflow {
  return subflow(index, { room: 0, inFlight: 20, ...changes });
}

export const connectionState: ConnectionState = {
  nowNs: 0,
  unsentBytes: 1e6,
  windowBytes: 1e6,
  outstandingBytes: 0,
  bufferBytes: 1e6,
};

/** Index picked for one segment, called the way a connection does. */
export function pickFrom(
  scheduler: Scheduler,
  subflows: readonly SenderSubflow[],
  changes: Partial<ConnectionState> = {},
): number | undefined {
  return scheduler.pick(subflows, { ...connectionState, ...changes })?.index;
}
