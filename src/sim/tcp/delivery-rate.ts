import type { Sent } from './sent-list';

/** Delivery rate samples (Cheng et al., draft-cheng-iccrg-delivery-rate-estimation). Counts are segments. */
export class DeliveryRate {
  delivered = 0;
  #deliveredNs = 0;
  #firstSentNs = 0;
  /** Samples up to this count are limited by the application. */
  #appLimitedUntil = 0;
  #latest:
    { delivered: number; deliveredNs: number; firstSentNs: number; sentNs: number } | undefined;
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
    if (this.#latest === undefined || sent.delivered >= this.#latest.delivered) {
      this.#latest = {
        delivered: sent.delivered,
        deliveredNs: sent.deliveredNs,
        firstSentNs: sent.firstSentNs,
        sentNs: sent.sentNs,
      };
      this.#latestAppLimited = sent.appLimited;
      this.#firstSentNs = sent.sentNs;
    }
  }

  /** The sample of what was delivered since the last call. */
  sample(
    nowNs: number,
    minRttNs: number,
  ): { rate: number | undefined; appLimited: boolean; prior: number } {
    const latest = this.#latest;
    this.#latest = undefined;
    if (this.#appLimitedUntil > 0 && this.delivered > this.#appLimitedUntil) {
      this.#appLimitedUntil = 0;
    }
    if (latest === undefined) return { rate: undefined, appLimited: false, prior: 0 };
    const sendNs = latest.sentNs - latest.firstSentNs;
    const ackNs = nowNs - latest.deliveredNs;
    const intervalNs = Math.max(sendNs, ackNs);
    const plausible = intervalNs > 0 && intervalNs >= Math.min(minRttNs, intervalNs + 1);
    return {
      rate: plausible ? ((this.delivered - latest.delivered) * 1e9) / intervalNs : undefined,
      appLimited: this.#latestAppLimited,
      prior: latest.delivered,
    };
  }
}
