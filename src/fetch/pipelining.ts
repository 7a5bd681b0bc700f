import type { HttpRequest, ResponseHead } from './exchange';

/**
 * Requests on one connection of HTTP/1.1: the present one, and those whose answers follow it. As many as on a stream of
 * HTTP/2 over a long path.
 */
const LINE_REQUESTS = 3;
/** Requests are sent one by one for this time after one got no answer. It doubles each time, up to the second value. Chosen; no measurement. */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
/** A connection may end after its last permitted request. Ends more frequent than these cost more than a line gains. Chosen; no measurement. */
const MAX_ENDS = 3;
const ANSWERS_WITHOUT_END = 20;

/**
 * Whether a server answers requests of HTTP/1.1 that are sent before the answer to an earlier one is complete (RFC 9112,
 * section 9.3.2). Then one connection carries a network's requests without a gap, as over HTTP/2. A connection that waits
 * for its next request loses its congestion window (RFC 5681, section 4.1), or sends a burst that a short queue drops.
 */
export class Pipelining {
  #persists = false;
  #answers = 0;
  #ends = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #pausedUntilMs = -Infinity;

  /** Requests that may be on one connection at a time. */
  mostRequests(nowMs: number): number {
    return this.#persists && nowMs >= this.#pausedUntilMs ? LINE_REQUESTS : 1;
  }

  /** A connection that had carried an answer carried another one. */
  persists(): void {
    this.#persists = true;
  }

  /** The answer to a request in a line began. */
  answered(): void {
    this.#answers += 1;
    if (this.#answers < ANSWERS_WITHOUT_END) return;
    this.#ends = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  /** A connection ended before the answer to a request in its line, which is sent again. */
  ended(nowMs: number): void {
    this.#answers = 0;
    this.#ends += 1;
    if (this.#ends >= MAX_ENDS) this.unanswered(nowMs);
  }

  /** Its turn had come, and no answer began. */
  unanswered(nowMs: number): void {
    this.#answers = 0;
    this.#ends = 0;
    this.#pausedUntilMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
  }

  /** The answer was that to another request. */
  mixedUp(): void {
    this.#pausedUntilMs = Infinity;
  }
}

/** True if an answer names another range than its request (RFC 9110, section 14.4). */
export function isOtherRange({ headers }: HttpRequest, head: ResponseHead): boolean {
  const asked = /^bytes=(\d+)-/.exec(headers['range'] ?? '')?.[1];
  const given = /^bytes (\d+)-/.exec(head.headers['content-range'] ?? '')?.[1];
  return asked !== undefined && given !== undefined && Number(asked) !== Number(given);
}

/** False if the server says that it closes the connection after the answer (RFC 9112, section 9.6). */
export const staysOpen = ({ headers }: ResponseHead): boolean =>
  !/\bclose\b/i.test(headers['connection'] ?? '');
