import type { Sent } from './sent-list';

/** Delivery rate samples (Cheng et al., draft-cheng-iccrg-delivery-rate-estimation). Counts are segments. */
export class DeliveryRate {
  delivered = 0;
  /** Of the last {@link DeliveryRate.sample}: segments a second; undefined where it cannot be told. */
  rate: number | undefined = undefined;
  /** That rate was limited by the application. */
  appLimited = false;
  /** Delivered when the segment was sent that the sample is of. */
  prior = 0;
  #deliveredNs = 0;
  #firstSentNs = 0;
  /** Samples up to this count are limited by the application. */
  #appLimitedUntil = 0;
  /** Of the sample: the segment sent last among those delivered since the last one. */
  #hasLatest = false;
  #latestDelivered = 0;
  #latestDeliveredNs = 0;
  #latestFirstSentNs = 0;
  #latestSentNs = 0;
  #latestAppLimited = false;

  /** A segment is about to be sent. @param inFlight before it */
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

  /** Takes the sample of what was delivered since the last call into `rate`, `appLimited` and `prior`. */
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
