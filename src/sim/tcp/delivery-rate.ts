import type { Sent } from './sent-list';

/** Delivery rate samples (Cheng et al., draft-cheng-iccrg-delivery-rate-estimation). Counts are segments. */
export class DeliveryRate {
  delivered = 0;
  /** Result of the last {@link DeliveryRate.sample}: segments per second; undefined if unknown. */
  rate: number | undefined = undefined;
  /** The application limited that rate. */
  appLimited = false;
  /** Delivered count at the send time of the sampled segment. */
  prior = 0;
  #deliveredNs = 0;
  #firstSentNs = 0;
  /** Samples up to this count are application-limited. */
  #appLimitedUntil = 0;
  /** State of the sample: the latest-sent segment among those delivered since the last sample. */
  #hasLatest = false;
  #latestDelivered = 0;
  #latestDeliveredNs = 0;
  #latestFirstSentNs = 0;
  #latestSentNs = 0;
  #latestAppLimited = false;

  /**
   * A segment is about to be sent.
   * @param inFlight segments in flight before it
   */
  onSend(sent: Sent, nowNs: number, inFlight: number): void {
    if (inFlight === 0) {
      this.#firstSentNs = nowNs;
      this.#deliveredNs = nowNs;
    }
    sent.delivered = this.delivered;
    sent.deliveredNs = this.#deliveredNs;
    sent.firstSentNs = this.#firstSentNs;
    sent.appLimited = this.#appLimitedUntil > 0;
  }

  /** The application has nothing more to send. */
  onAppLimited(inFlight: number): void {
    this.#appLimitedUntil = Math.max(1, this.delivered + inFlight);
  }

  onDelivered(sent: Sent, nowNs: number): void {
    this.delivered += 1;
    this.#deliveredNs = nowNs;
    if (this.#hasLatest && sent.delivered < this.#latestDelivered) return;
    this.#hasLatest = true;
    this.#latestDelivered = sent.delivered;
    this.#latestDeliveredNs = sent.deliveredNs;
    this.#latestFirstSentNs = sent.firstSentNs;
    this.#latestSentNs = sent.sentNs;
    this.#latestAppLimited = sent.appLimited;
    this.#firstSentNs = sent.sentNs;
  }

  /** Stores the sample of the deliveries since the last call in `rate`, `appLimited` and `prior`. */
  sample(nowNs: number, minRttNs: number): void {
    if (this.#appLimitedUntil > 0 && this.delivered > this.#appLimitedUntil) {
      this.#appLimitedUntil = 0;
    }
    this.rate = undefined;
    this.appLimited = false;
    this.prior = 0;
    if (!this.#hasLatest) return;
    this.#hasLatest = false;
    const sendNs = this.#latestSentNs - this.#latestFirstSentNs;
    const ackNs = nowNs - this.#latestDeliveredNs;
    const intervalNs = Math.max(sendNs, ackNs);
    const plausible = intervalNs > 0 && intervalNs >= Math.min(minRttNs, intervalNs + 1);
    if (plausible) this.rate = ((this.delivered - this.#latestDelivered) * 1e9) / intervalNs;
    this.appLimited = this.#latestAppLimited;
    this.prior = this.#latestDelivered;
  }
}
