import {
  emptyAckSample,
  type AckSample,
  type CongestionControl,
} from '../congestion/congestion-control';
import type { DeliveryRate } from './delivery-rate';
import type { RoundTrip } from './round-trip';

/** The fields of an acknowledgement that the sender gives. */
export type AckNews = Pick<
  AckSample,
  'nowNs' | 'rttNs' | 'delivered' | 'priorInFlight' | 'inFlight' | 'windowLimited' | 'inRecovery'
>;

/** Reports acknowledgements to the congestion control, with the round trips and the delivery rate. */
export class AckReport {
  readonly #congestion: CongestionControl;
  readonly #roundTrip: RoundTrip;
  readonly #rate: DeliveryRate;
  /** Refilled for every acknowledgement. */
  readonly #sample = emptyAckSample();

  constructor(congestion: CongestionControl, roundTrip: RoundTrip, rate: DeliveryRate) {
    this.#congestion = congestion;
    this.#roundTrip = roundTrip;
    this.#rate = rate;
  }

  send(news: AckNews): void {
    this.#rate.sample(news.nowNs, this.#roundTrip.minNs);
    const sample = Object.assign(this.#sample, news);
    sample.srttNs = this.#roundTrip.srttNs;
    sample.minRttNs = this.#roundTrip.minNs;
    sample.deliveryRate = this.#rate.rate;
    sample.appLimited = this.#rate.appLimited;
    sample.totalDelivered = this.#rate.delivered;
    sample.priorDelivered = this.#rate.prior;
    this.#congestion.onAck(sample);
  }
}
