import type { AckSample, SubflowView } from '../congestion/congestion-control';
import type { WindowControl } from '../congestion/window-control';

const MS = 1e6;

/** An acknowledgement of one segment that left no doubt: 100 ms of round trip, the shortest ever, and a full window. */
export function ack(told: Partial<AckSample> = {}): AckSample {
  return {
    nowNs: 1e9,
    delivered: 1,
    rttNs: 100 * MS,
    srttNs: 100 * MS,
    minRttNs: 100 * MS,
    priorInFlight: 10,
    inFlight: 9,
    windowLimited: true,
    deliveryRate: undefined,
    appLimited: false,
    totalDelivered: 0,
    priorDelivered: 0,
    inRecovery: false,
    ...told,
  };
}

/** Puts a control into congestion avoidance with a window of so many segments. */
export function settle<T extends WindowControl>(control: T, cwnd: number): T {
  control.cwnd = cwnd;
  control.ssthresh = 2;
  return control;
}

/**
 * Established subflows of one end, in congestion avoidance.
 * @param subflows windows in segments, and smoothed round trips
 */
export function coupled<T extends WindowControl>(
  create: (group: readonly SubflowView[]) => T,
  subflows: readonly { cwnd: number; rttMs: number }[],
): T[] {
  const group: SubflowView[] = [];
  return subflows.map(({ cwnd, rttMs }) => {
    const control = settle(create(group), cwnd);
    group.push({
      get cwnd() {
        return control.cwnd;
      },
      srttNs: rttMs * MS,
      isEstablished: true,
    });
    return control;
  });
}

/** How much the window grew by one acknowledgement. */
export function growth(control: WindowControl | undefined, told: Partial<AckSample> = {}): number {
  if (control === undefined) throw new RangeError('there is no such subflow');
  const before = control.cwnd;
  control.onAck(ack(told));
  return control.cwnd - before;
}

/** A round trip for controls that act once in each: three acknowledgements of so many milliseconds. */
export class Rounds {
  #delivered = 0;

  play(control: WindowControl, rttMs: number, told: Partial<AckSample> = {}): void {
    const priorDelivered = this.#delivered;
    for (let count = 1; count <= 3; count += 1) {
      // The third is of something sent after the round began.
      this.#delivered += 1;
      const isLast = count === 3;
      control.onAck(
        ack({
          rttNs: rttMs * MS,
          srttNs: rttMs * MS,
          totalDelivered: this.#delivered,
          priorDelivered: isLast ? priorDelivered : -1,
          ...told,
        }),
      );
    }
  }
}
