/**
 * Proportional rate reduction (RFC 6937 with the slow-start reduction bound): during recovery the flight size
 * falls evenly to the new window, clocked by arrivals. Counts are segments.
 */
export class Prr {
  /** Segments that may be sent now. */
  allowance = 0;
  #recoverFlight = 1;
  #delivered = 0;
  #sent = 0;

  /** @param recoverFlight segments in flight at loss detection */
  begin(recoverFlight: number): void {
    this.#recoverFlight = Math.max(1, recoverFlight);
    this.#delivered = 0;
    this.#sent = 0;
    // The first retransmission is always allowed.
    this.allowance = 1;
  }

  /** @param progressed this acknowledgement revealed no further loss */
  onAck(delivered: number, inFlight: number, target: number, progressed: boolean): void {
    this.#delivered += delivered;
    const limit = Math.floor(target);
    let send: number;
    if (inFlight > limit) {
      send = Math.ceil((this.#delivered * limit) / this.#recoverFlight) - this.#sent;
    } else {
      const bound = Math.max(this.#delivered - this.#sent, delivered) + (progressed ? 1 : 0);
      send = Math.min(limit - inFlight, bound);
    }
    // At least one segment goes out while nothing has been sent.
    this.allowance = Math.max(send, this.#sent === 0 ? 1 : 0);
  }

  onSend(): void {
    this.#sent += 1;
    this.allowance -= 1;
  }
}
