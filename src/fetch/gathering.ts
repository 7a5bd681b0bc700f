import type { BoundConnection } from './bound-connect';

/** Bytes of this time are read at once. At 50 Mbit/s packets come every 0.25 ms, and each would wake the process. */
const GATHER_MS = 3;
/** Two packets: fewer are not worth a system call. */
const LEAST_BYTES = 3000;
/** Share of the receive window: the server may send on while bytes wait. */
const WINDOW_SHARE = 1 / 4;
/** The largest TLS record: part of one may be read already and not be given out yet (RFC 8446, 5.2). */
const RECORD_BYTES = 16_640;

/**
 * The bytes that a connection gathers before it is read.
 * @param rateBps of the network, 0 where it is not known yet
 * @param windowBytes that the server may have in flight
 * @returns 1 where gathering is not worth it
 */
export function gatherBytes(rateBps: number, windowBytes: number): number {
  const bytes = Math.floor(Math.min((rateBps / 8000) * GATHER_MS, WINDOW_SHARE * windowBytes));
  return bytes >= LEAST_BYTES ? bytes : 1;
}

/** Lets a connection gather the bytes of one answer, all but its end: nothing would follow that wakes the reader. */
export class Gathering {
  readonly #connection: Pick<BoundConnection, 'gather'> | undefined;
  readonly #bytes: number;
  #leftBytes = 0;
  #isOn = false;

  /** @param connection undefined: of several answers, or not open yet; it gathers nothing */
  constructor(connection: Pick<BoundConnection, 'gather'> | undefined, bytes: number) {
    this.#connection = connection;
    this.#bytes = bytes;
  }

  /** @param length of the answer's body; undefined: nobody knows */
  begin(length: string | undefined): void {
    this.received(-Number(length ?? 0));
  }

  received(bytes: number): void {
    this.#leftBytes -= bytes;
    const isOn = this.#bytes > 1 && this.#leftBytes > 2 * this.#bytes + RECORD_BYTES;
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#connection?.gather(isOn ? this.#bytes : 1);
  }

  end(): void {
    this.received(Infinity);
  }
}
