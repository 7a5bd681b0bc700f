import type { Packet } from '../packet';

interface Due {
  packet: Packet;
  dueNs: number;
}

/** The propagation delay: packets come out some time after they went in, in order unless overtaking is allowed. */
export class DelayLine {
  #line: Due[] = [];
  #head = 0;

  get isEmpty(): boolean {
    return this.#head === this.#line.length;
  }

  /** When the first packet is due; Infinity when there is none. */
  get nextDueNs(): number {
    return this.#line[this.#head]?.dueNs ?? Infinity;
  }

  push(packet: Packet, dueNs: number, mayOvertake: boolean): void {
    const last = this.#line.at(-1);
    if (this.isEmpty || last === undefined || dueNs >= last.dueNs) {
      this.#line.push({ packet, dueNs });
    } else if (mayOvertake) {
      let place = this.#line.length;
      while (place > this.#head && (this.#line[place - 1]?.dueNs ?? 0) > dueNs) place -= 1;
      this.#line.splice(place, 0, { packet, dueNs });
    } else {
      this.#line.push({ packet, dueNs: last.dueNs });
    }
  }

  /** The next packet due at or before `nowNs`. */
  pop(nowNs: number): Packet | undefined {
    const due = this.#line[this.#head];
    if (due === undefined || due.dueNs > nowNs) return undefined;
    this.#head += 1;
    // Keeps what has passed from piling up, at a constant cost per packet.
    if (this.#head === this.#line.length) {
      this.#line = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#line.length) {
      this.#line = this.#line.slice(this.#head);
      this.#head = 0;
    }
    return due.packet;
  }

  /** Throws everything away; returns how many packets that were. */
  clear(): number {
    const count = this.#line.length - this.#head;
    this.#line = [];
    this.#head = 0;
    return count;
  }
}
