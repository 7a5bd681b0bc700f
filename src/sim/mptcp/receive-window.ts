/** Half of net.ipv4.tcp_rmem's default: the rest is overhead (tcp_adv_win_scale, scaling_ratio). */
const FIRST_WINDOW_BYTES = 65_536;
/** Linux (tcp_init_buffer_space): the first measure is of ten segments. */
const FIRST_SPACE_BYTES = 14_000;

/**
 * The receive window as Linux tunes it (mptcp_rcv_space_adjust, mptcp_rcvbuf_grow). After a round trip in which
 * the application read more than ever before, it has room for twice that and for a doubled rate.
 */
export class ReceiveWindow {
  bytes: number;
  readonly #maxBytes: number;
  #spaceBytes = FIRST_SPACE_BYTES;
  #copiedBytes = 0;
  #sinceNs = 0;

  /** @param fixed the application has set the size of its buffer, so it does not grow */
  constructor(maxBytes: number, fixed: boolean) {
    this.#maxBytes = maxBytes;
    this.bytes = fixed ? maxBytes : Math.min(maxBytes, FIRST_WINDOW_BYTES);
  }

  /** @param rttNs the longest of the subflows, 0 if unknown */
  onRead(bytes: number, nowNs: number, rttNs: number): void {
    if (this.bytes === this.#maxBytes) return;
    this.#copiedBytes += bytes;
    if (rttNs === 0 || nowNs - this.#sinceNs < rttNs) return;
    const copied = this.#copiedBytes;
    if (copied > this.#spaceBytes) {
      const growth = (copied - this.#spaceBytes) / this.#spaceBytes;
      const wanted = 2 * copied * (1 + 2 * growth);
      this.#spaceBytes = copied;
      this.bytes = Math.min(this.#maxBytes, Math.max(this.bytes, Math.round(wanted)));
    }
    this.#copiedBytes = 0;
    this.#sinceNs = nowNs;
  }
}
