/**
 * Backoff after this number of failed attempts; the last one repeats. A dead zone makes no event when it ends. It begins
 * with the initial retransmission timeout (RFC 6298) and doubles; the end is chosen; no measurement.
 */
const delaysMs = [1000, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 60_000] as const;

interface Attempt {
  address: string;
  tries: number;
  lastMs: number;
}

/** Records attempted subflows, so that a refusing server or network does not receive endless attempts. */
export class SubflowAttempts {
  readonly #attempts = new Map<string, Attempt>();

  /** Milliseconds until the next attempt; 0 now. */
  waitMs(key: string, nowMs: number): number {
    const attempt = this.#attempts.get(key);
    if (!attempt) return 0;
    const delayMs = delaysMs[Math.min(attempt.tries, delaysMs.length - 1)] ?? 0;
    return Math.max(0, attempt.lastMs + delayMs - nowMs);
  }

  tried(key: string, address: string, nowMs: number): void {
    const tries = (this.#attempts.get(key)?.tries ?? 0) + 1;
    this.#attempts.set(key, { address, tries, lastMs: nowMs });
  }

  /** The attempt succeeded. If the subflow ends later, it is retried, but not in a loop. */
  succeeded(key: string): void {
    const attempt = this.#attempts.get(key);
    if (attempt) attempt.tries = 0;
  }

  /** The network of these addresses changed: failed attempts may succeed now. */
  forgetAddresses(isOf: (address: string) => boolean): void {
    for (const [key, { address }] of this.#attempts) {
      if (isOf(address)) this.#attempts.delete(key);
    }
  }

  /** Forgets the state of closed connections. */
  keep(isWanted: (key: string) => boolean): void {
    for (const key of this.#attempts.keys()) if (!isWanted(key)) this.#attempts.delete(key);
  }
}

/** Ids of local addresses. They must differ within a connection, and an address keeps its id. */
export class LocalIds {
  readonly #byToken = new Map<number, Map<string, number>>();

  /**
   * @param used ids of other addresses in the connection
   * @param seen the id that the address has there already, if it is not the first one's
   */
  idOf(
    token: number,
    address: string,
    used: ReadonlySet<number>,
    seen: number | undefined,
  ): number | undefined {
    const ids = this.#byToken.get(token) ?? new Map<string, number>();
    this.#byToken.set(token, ids);
    const known = seen ?? ids.get(address);
    if (known !== undefined && known > 0) {
      ids.set(address, known);
      return known;
    }
    // The kernel and other managers start at 1.
    const taken = new Set([...used, ...ids.values()]);
    for (let id = 255; id > 0; id -= 1) {
      if (taken.has(id)) continue;
      ids.set(address, id);
      return id;
    }
    return undefined;
  }

  /** The kernel refused the id: the next attempt takes another, and no address takes this one. */
  refused(token: number, address: string): void {
    const ids = this.#byToken.get(token);
    const id = ids?.get(address);
    if (!ids || id === undefined) return;
    ids.delete(address);
    ids.set(`refused ${id}`, id);
  }

  keep(tokens: ReadonlySet<number>): void {
    for (const token of this.#byToken.keys()) if (!tokens.has(token)) this.#byToken.delete(token);
  }
}
