import { ReceiveWindow } from './receive-window';

/** The right edge of the receive window that one end has advertised to the other, and its updates. */
export class AdvertisedWindow {
  /** In-order bytes that the application has not read. */
  unreadBytes = 0;
  #end = 0;
  readonly #window: ReceiveWindow;

  /** @param fixed the window has its full size from the start */
  constructor(maxBytes: number, fixed: boolean) {
    this.#window = new ReceiveWindow(maxBytes, fixed);
  }

  /** Size of the window. */
  get bytes(): number {
    return this.#window.bytes;
  }

  /** The advertised right edge, a data sequence number. */
  get end(): number {
    return this.#end;
  }

  /**
   * Data arrived in order and was read at once.
   * @param rttNs the longest round trip of the subflows, 0 if unknown
   */
  onRead(bytes: number, nowNs: number, rttNs: number): void {
    this.#window.onRead(bytes, nowNs, rttNs);
  }

  /**
   * The application reads bytes that it had left unread.
   * @returns true if the window doubles, which needs an update of its own (Linux: mptcp_cleanup_rbuf)
   */
  read(bytes: number, nextSeq: number, segmentBytes: number): boolean {
    const oldEnd = this.#end;
    this.unreadBytes -= bytes;
    this.offer(nextSeq, segmentBytes);
    return this.#end !== oldEnd && this.#end - nextSeq >= 2 * (oldEnd - nextSeq);
  }

  /** Advances the window by at least a segment, or half of a tiny buffer (RFC 1122, 4.2.3.3). */
  offer(nextSeq: number, segmentBytes: number): void {
    const end = nextSeq - this.unreadBytes + this.bytes;
    if (end - this.#end >= Math.min(segmentBytes, this.bytes / 2)) this.#end = end;
  }
}
