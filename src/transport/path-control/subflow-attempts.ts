/** How long to wait after so many tries that brought no subflow; after the last, until the network changes. */
const delaysMs = [1000, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];

interface Attempt {
  address: string;
  tries: number;
  lastMs: number;
}

/** Remembers which subflows were tried, so that a server or network that refuses them is not asked without end. */
export class SubflowAttempts {
  readonly #attempts = new Map<string, Attempt>();

  /** Milliseconds until it may be tried: 0 now, Infinity not before the network changes. */
  waitMs(key: string, nowMs: number): number {
    const attempt = this.#attempts.get(key);
    if (!attempt) return 0;
    const delayMs = delaysMs[attempt.tries];
    return delayMs === undefined ? Infinity : Math.max(0, attempt.lastMs + delayMs - nowMs);
  }

  tried(key: string, address: string, nowMs: number): void {
    const tries = (this.#attempts.get(key)?.tries ?? 0) + 1;
    this.#attempts.set(key, { address, tries, lastMs: nowMs });
  }

  /** It came about; should it end, it is tried again, but not in a loop. */
  succeeded(key: string): void {
    const attempt = this.#attempts.get(key);
    if (attempt) attempt.tries = 0;
  }

  /** The network of these addresses changed: what failed may work now. */
  forgetAddresses(isOf: (address: string) => boolean): void {
    for (const [key, { address }] of this.#attempts) {
      if (isOf(address)) this.#attempts.delete(key);
    }
  }

  /** Forgets what concerns connections that are gone. */
  keep(isWanted: (key: string) => boolean): void {
    for (const key of this.#attempts.keys()) if (!isWanted(key)) this.#attempts.delete(key);
  }
}

/** Ids of local addresses, which must differ within a connection and stay the same for one address. */
export class LocalIds {
  readonly #byToken = new Map<number, Map<string, number>>();

  /**
   * @param used ids of other addresses in the connection
   * @param seen the id the address has there already, if it is not the first one's
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
    // The kernel and other managers begin at 1.
    const taken = new Set([...used, ...ids.values()]);
    for (let id = 255; id > 0; id -= 1) {
      if (taken.has(id)) continue;
      ids.set(address, id);
      return id;
    }
    return undefined;
  }

  /** The kernel did not take it: another one next time, this one for nobody. */
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
