import type { MptcpConnection } from '../../sim';

/** Data assigned to a subflow, in order of the stream. */
interface Given {
  endSeq: number;
  atNs: number;
  index: number;
}

/**
 * Samples the delays of section 2.1 at the sender. T_i of a path is the age of the latest data sent over it, at
 * its connection-level acknowledgement. It is the round trip plus the wait for earlier data on another path.
 * Protocol delay: the longest T_i. Head-of-line degree: its excess over the longest smoothed round trip.
 */
export class DelayMeter {
  readonly protocolMs: number[] = [];
  readonly holMs: number[] = [];
  /** Smoothed round trips by path. */
  readonly srttMs: number[][];
  readonly #end: MptcpConnection['server'];
  readonly #now: () => number;
  readonly #given: Given[] = [];
  #head = 0;
  #assignedSeq = 0;
  /** T_i by path, of the latest period with samples. */
  readonly #latestNs: number[] = [];
  #fresh = new Map<number, number>();

  /** @param now simulated time in nanoseconds */
  constructor(end: MptcpConnection['server'], paths: number, now: () => number) {
    this.#end = end;
    this.#now = now;
    this.srttMs = Array.from({ length: paths }, () => []);
    end.onAssign = ({ dataSeq, bytes }, index) => {
      const endSeq = dataSeq + bytes;
      // Reinjected data was assigned before.
      if (endSeq <= this.#assignedSeq) return;
      this.#assignedSeq = endSeq;
      this.#given.push({ endSeq, atNs: now(), index });
    };
    end.onDataAck = (dataAck) => this.#onDataAck(dataAck);
  }

  /** Samples all quantities. */
  sample(): void {
    for (const [index, tookNs] of this.#fresh) this.#latestNs[index] = tookNs;
    this.#fresh = new Map();
    const srtts = this.#end.subflows.map(({ srttNs }) => srttNs / 1e6);
    srtts.forEach((srttMs, index) => {
      if (srttMs > 0) this.srttMs[index]?.push(srttMs);
    });
    const waits = this.#latestNs.flatMap((tookNs) => tookNs / 1e6);
    if (waits.length === 0) return;
    const protocolMs = Math.max(...waits);
    this.protocolMs.push(protocolMs);
    this.holMs.push(protocolMs - Math.max(...srtts));
  }

  #onDataAck(dataAck: number): void {
    const nowNs = this.#now();
    for (;;) {
      const first = this.#given[this.#head];
      if (first === undefined || first.endSeq > dataAck) break;
      this.#head += 1;
      const tookNs = nowNs - first.atNs;
      this.#fresh.set(first.index, Math.max(tookNs, this.#fresh.get(first.index) ?? 0));
    }
    if (this.#head > 4096) this.#given.splice(0, this.#head);
    if (this.#head > 4096) this.#head = 0;
  }
}
