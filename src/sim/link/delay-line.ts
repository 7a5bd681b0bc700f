import type { Packet } from '../packet';

/** Packets for which there is room at first; the ring doubles when it is full. */
const FIRST_CAPACITY = 64;

/** The propagation delay: each packet leaves after its delay, in order unless reordering is allowed. */
export class DelayLine {
  #ring: (Packet | undefined)[] = new Array<Packet | undefined>(FIRST_CAPACITY).fill(undefined);
  #head = 0;
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Due time of the first packet; Infinity when empty. */
  get nextDueNs(): number {
    return this.#ring[this.#head]?.dueNs ?? Infinity;
  }

  push(packet: Packet, dueNs: number, mayOvertake: boolean): void {
    if (this.#count === this.#ring.length) this.#grow();
    packet.dueNs = dueNs;
    let place = this.#count;
    this.#count += 1;
    for (; place > 0; place -= 1) {
      const before = this.#at(place - 1);
      if (before === undefined || before.dueNs <= dueNs) break;
      if (!mayOvertake) {
        packet.dueNs = before.dueNs;
        break;
      }
      this.#put(place, before);
    }
    this.#put(place, packet);
  }

  /** The next packet due at or before `nowNs`. */
  pop(nowNs: number): Packet | undefined {
    const packet = this.#ring[this.#head];
    if (packet === undefined || packet.dueNs > nowNs) return undefined;
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#count -= 1;
    return packet;
  }

  /** Discards all packets; returns their number. */
  clear(): number {
    const count = this.#count;
    this.#ring.fill(undefined);
    this.#head = 0;
    this.#count = 0;
    return count;
  }

  #at(place: number): Packet | undefined {
    return this.#ring[(this.#head + place) & (this.#ring.length - 1)];
  }

  #put(place: number, packet: Packet): void {
    this.#ring[(this.#head + place) & (this.#ring.length - 1)] = packet;
  }

  #grow(): void {
    const ring = new Array<Packet | undefined>(this.#ring.length * 2).fill(undefined);
    for (let place = 0; place < this.#count; place += 1) ring[place] = this.#at(place);
    this.#ring = ring;
    this.#head = 0;
  }
}
