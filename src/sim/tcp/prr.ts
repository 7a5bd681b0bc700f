/**
 * Proportional rate reduction (RFC 6937 with the slow-start reduction bound): during recovery the window comes
 * down to the new one evenly, clocked by what arrives. Counts are segments.
 */
export class Prr {
  /** Segments that may be sent now. */
  allowance = 0;
  #recoverFlight = 1;
  #delivered = 0;
  #sent = 0;

  /** @param recoverFlight in the network when the loss was found */
  begin(recoverFlight: number): void {
    this.#recoverFlight = Math.max(1, recoverFlight);
    this.#delivered = 0;
    this.#sent = 0;
    // The first retransmission is always free.
    this.allowance = 1;
  }

  /** @param progressed this acknowledgement found no further loss */
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
    // Something always goes out while nothing has yet.
    this.allowance = Math.max(send, this.#sent === 0 ? 1 : 0);
  }

  onSend(): void {
    this.#sent += 1;
    this.allowance -= 1;
  }
}
