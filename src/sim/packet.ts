/** Whatever a packet can get to: a link's end, or who sent for it. */
export interface Receiver {
  receive(packet: Packet): void;
}

/** ECN field of the IP header (RFC 3168, section 5). */
export const Ecn = { notCapable: 0, ect1: 1, ect0: 2, congestion: 3 } as const;

/**
 * An IP packet under way. It knows its whole route: each receiver on it hands it to the next one by
 * {@link forward}.
 */
export class Packet {
  /** Of the IP packet; there is no link layer. */
  sizeBytes: number;
  /** What flow queues hash: the same for all packets of one direction of one connection. */
  readonly flow: number;
  ecn: number;
  /** When the queue it is in, or was in last, took it. */
  arrivedNs = 0;
  /** When the delay line it is in, or was in last, lets it out. */
  dueNs = 0;
  readonly route: readonly Receiver[];
  hop = 0;
  /** What is in it, for the last receiver. */
  readonly payload: unknown;

  constructor(
    sizeBytes: number,
    flow: number,
    ecn: number,
    route: readonly Receiver[],
    payload: unknown,
  ) {
    this.sizeBytes = sizeBytes;
    this.flow = flow;
    this.ecn = ecn;
    this.route = route;
    this.payload = payload;
  }

  /** Goes on to the next receiver of the route; past the last one it is gone. */
  forward(): void {
    const next = this.route[this.hop];
    this.hop += 1;
    next?.receive(this);
  }
}
