/** A receiver of packets: the end of a link, or the final destination. */
export interface Receiver {
  receive(packet: Packet): void;
}

/** ECN field of the IP header (RFC 3168, section 5). */
export const Ecn = { notCapable: 0, ect1: 1, ect0: 2, congestion: 3 } as const;

/** An IP packet in transit. It carries its whole route: each receiver passes it on by {@link forward}. */
export class Packet {
  /** Size of the IP packet; there is no link layer. */
  sizeBytes: number;
  /** Key of flow queues: equal for all packets of one direction of a connection. */
  readonly flow: number;
  ecn: number;
  /** Time at which its current or last queue accepted it. */
  arrivedNs = 0;
  /** Time at which its current or last delay line releases it. */
  dueNs = 0;
  readonly route: readonly Receiver[];
  hop = 0;
  /** Content, for the final receiver. */
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

  /** Passes the packet to the next receiver of its route; past the last one it disappears. */
  forward(): void {
    const next = this.route[this.hop];
    this.hop += 1;
    next?.receive(this);
  }
}
