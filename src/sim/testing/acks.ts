import type { AckSample, SubflowView } from '../congestion/congestion-control';
import type { WindowControl } from '../congestion/window-control';

const MS = 1e6;

/**
 * An unambiguous acknowledgement of one segment: a round trip of 100 ms, the minimum so far, and a full
 * window.
 */
export function ack(fields: Partial<AckSample> = {}): AckSample {
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
    ...fields,
  };
}

/** Puts a control into congestion avoidance with the given window. */
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

/** Window growth by one acknowledgement. */
export function growth(
  control: WindowControl | undefined,
  fields: Partial<AckSample> = {},
): number {
  if (control === undefined) throw new RangeError('there is no such subflow');
  const before = control.cwnd;
  control.onAck(ack(fields));
  return control.cwnd - before;
}

/**
 * One round trip for controls that act once per round trip: three acknowledgements with the given round trip.
 */
export class Rounds {
  #delivered = 0;

  play(control: WindowControl, rttMs: number, fields: Partial<AckSample> = {}): void {
    const priorDelivered = this.#delivered;
    for (let count = 1; count <= 3; count += 1) {
      // The third acknowledges a segment sent after the round began.
      this.#delivered += 1;
      const isLast = count === 3;
      control.onAck(
        ack({
          rttNs: rttMs * MS,
          srttNs: rttMs * MS,
          totalDelivered: this.#delivered,
          priorDelivered: isLast ? priorDelivered : -1,
          ...fields,
        }),
      );
    }
  }
}
