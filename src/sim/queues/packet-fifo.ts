import type { Packet } from '../packet';

/** Packets for which there is room at first; the ring doubles when it is full. */
const FIRST_CAPACITY = 64;

/** Packets in order with a byte count, in a growing ring buffer. */
export class PacketFifo {
  #ring: (Packet | undefined)[] = new Array<Packet | undefined>(FIRST_CAPACITY).fill(undefined);
  #head = 0;
  #count = 0;
  #bytes = 0;

  get sizePackets(): number {
    return this.#count;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  push(packet: Packet): void {
    if (this.#count === this.#ring.length) this.#grow();
    this.#ring[(this.#head + this.#count) & (this.#ring.length - 1)] = packet;
    this.#count += 1;
    this.#bytes += packet.sizeBytes;
  }

  pop(): Packet | undefined {
    if (this.#count === 0) return undefined;
    const packet = this.#ring[this.#head];
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#count -= 1;
    this.#bytes -= packet?.sizeBytes ?? 0;
    return packet;
  }

  /** Waiting time of the head; 0 when empty. */
  headAgeNs(nowNs: number): number {
    const arrivedNs = this.#ring[this.#head]?.arrivedNs ?? nowNs;
    return arrivedNs >= nowNs ? 0 : nowNs - arrivedNs;
  }

  /** @returns the number of discarded packets */
  clear(): number {
    const count = this.#count;
    this.#ring.fill(undefined);
    this.#head = 0;
    this.#count = 0;
    this.#bytes = 0;
    return count;
  }

  #grow(): void {
    const old = this.#ring;
    const ring = new Array<Packet | undefined>(old.length * 2).fill(undefined);
    for (let i = 0; i < this.#count; i += 1) ring[i] = old[(this.#head + i) & (old.length - 1)];
    this.#ring = ring;
    this.#head = 0;
  }
}
