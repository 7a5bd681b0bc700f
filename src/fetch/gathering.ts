import type { BoundConnection } from './bound-connect';

/**
 * Time of which the bytes are read at once. At 50 Mbit/s a packet arrives every 0.25 ms, and each would wake the
 * process.
 */
const GATHER_MS = 3;
/** Two packets: fewer do not justify a system call. */
const MIN_BYTES = 3000;
/** Share of the receive window: the server can go on sending while bytes wait. */
const WINDOW_SHARE = 1 / 4;
/** The largest TLS record (RFC 8446, section 5.2): a part of one may have been read and not been given out. */
const RECORD_BYTES = 16_640;
/** The end of an answer: one gathering that may be under way, and one to spare. */
const LEFT_GATHERINGS = 2;

/**
 * Bytes that a connection gathers before it is read.
 * @param rateBps of the network, 0 if unknown
 * @param windowBytes bytes that the server may have in flight
 * @returns 1 if gathering has no use
 */
export function gatherBytes(rateBps: number, windowBytes: number): number {
  const bytes = Math.floor(Math.min((rateBps / 8000) * GATHER_MS, WINDOW_SHARE * windowBytes));
  return bytes >= MIN_BYTES ? bytes : 1;
}

/**
 * Sets how many bytes of an answer a connection gathers. The end of the answer is not gathered, because no later
 * byte would wake the reader.
 */
export class Gathering {
  readonly #connection: Pick<BoundConnection, 'gather'> | undefined;
  readonly #bytes: number;
  #leftBytes = 0;
  #isOn = false;

  /** @param connection undefined if it carries several answers or is not open: it then gathers nothing */
  constructor(connection: Pick<BoundConnection, 'gather'> | undefined, bytes: number) {
    this.#connection = connection;
    this.#bytes = bytes;
  }

  /** @param length of the answer's body; undefined if unknown */
  begin(length: string | undefined): void {
    this.received(-Number(length ?? 0));
  }

  received(bytes: number): void {
    this.#leftBytes -= bytes;
    const isOn = this.#bytes > 1 && this.#leftBytes > LEFT_GATHERINGS * this.#bytes + RECORD_BYTES;
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#connection?.gather(isOn ? this.#bytes : 1);
  }

  end(): void {
    this.received(Infinity);
  }
}
