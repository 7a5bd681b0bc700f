import { createHash, randomBytes } from 'node:crypto';

/** Simultaneous unused tokens. A user opens one page, a test a few. */
const MAX_OPEN = 32;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** One-time tokens of 256 random bits. Each is accepted once. */
export class OneTimeTokens {
  /** Digests: the matching prefix of a guess does not change the time of the look-up. */
  readonly #open = new Set<string>();

  issue(): string {
    const token = randomBytes(32).toString('hex');
    this.#open.add(digest(token));
    for (const oldest of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(oldest);
    }
    return token;
  }

  /** Returns true if the token was issued and not used before. Marks it as used. */
  redeem(offered: string | undefined): offered is string {
    return offered !== undefined && this.#open.delete(digest(offered));
  }

  /** Takes a token as unused again: its page left before it used the feed. */
  giveBack(redeemed: string): void {
    this.#open.add(digest(redeemed));
  }
}
