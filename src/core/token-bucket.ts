export interface TokenBucketOptions {
  /** Tokens that may be taken at once. */
  burst: number;
  /** Tokens that return. */
  perSecond: number;
  /** Time of the first look; the bucket is full then. */
  nowMs: number;
}

/** Bounds a rate: `burst` at once, `perSecond` from then on. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #refilledMs: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#refilledMs = options.nowMs;
  }

  /** Takes `amount` if that many are there, else nothing. */
  take(amount: number, nowMs: number): boolean {
    const { burst, perSecond } = this.#options;
    // A clock that jumps back gives nothing.
    const elapsedMs = Math.max(0, nowMs - this.#refilledMs);
    this.#tokens = Math.min(burst, this.#tokens + (elapsedMs * perSecond) / 1000);
    this.#refilledMs = nowMs;
    if (this.#tokens < amount) return false;
    this.#tokens -= amount;
    return true;
  }
}
