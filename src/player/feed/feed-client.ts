import { FeedError } from './feed-error';
import { parseFeedDown, type FeedDown, type FeedUp } from '../../ipc';
import {
  createTransportHub,
  type PathRequest,
  type Transport,
  type TransportHub,
} from '../../ports';
import type { FeedChannel } from './feed-channel';

export interface FeedClientOptions {
  /** Name of the far end in messages to the viewer. */
  name: string;
  /** Sends one message up. */
  send: (message: FeedUp) => void;
  /** Closes the channel. */
  disconnect: () => void;
  /** The page's monotonic clock in milliseconds. Default `performance.now`. */
  localNowMs?: () => number;
  pendingBytes?: () => number;
  /** Called for every refused message and every listener that threw. */
  onProblem?: ((problem: string) => void) | undefined;
}

/** Limit of calls to `onProblem`; a broken far end must not flood the console. */
const MAX_PROBLEMS_REPORTED = 20;
/** If the far end's stamps lag by this much for this long, its clock was reset; a slow channel is ruled out. */
const CLOCK_BACK_MS = 5000;

/**
 * The page's end of a feed over any channel. It validates every message against the closed schema, keeps the
 * feed's clock, and implements the Transport port.
 */
export class FeedClient implements Transport, FeedChannel {
  readonly #options: FeedClientOptions;
  readonly #hub: TransportHub;
  readonly #localNowMs: () => number;
  #offsetMs = 0;
  /** The best recent offset, and the start of its window. */
  #recent = { offsetMs: -Infinity, sinceMs: 0 };
  #welcomed = false;
  #watching: readonly string[] = [];
  #refused = 0;
  #reported = 0;
  #onWelcome: (() => void)[] = [];

  constructor(options: FeedClientOptions) {
    this.#options = options;
    this.#localNowMs = options.localNowMs ?? (() => performance.now());
    this.#hub = createTransportHub(
      { state: 'no-feed', reason: `Waiting for ${options.name}.` },
      (error) => this.#problem(`a listener threw: ${String(error)}`),
    );
  }

  /** Number of messages refused so far because they broke the schema. */
  get refusedMessages(): number {
    return this.#refused;
  }

  get welcomed(): boolean {
    return this.#welcomed;
  }

  /** Resolves after the far end's hello; rejects when the feed ends before that. */
  ready(): Promise<void> {
    if (this.#welcomed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#onWelcome.push(resolve);
      this.#hub.subscribe((message) => {
        if (message.type === 'closed') reject(new FeedError(message.reason));
      });
    });
  }

  nowMs(): number {
    return this.#localNowMs() + this.#offsetMs;
  }

  subscribe(listener: Parameters<Transport['subscribe']>[0]): () => void {
    return this.#hub.subscribe(listener);
  }

  watch(origins: readonly string[]): void {
    this.#watching = [...origins];
    if (this.#welcomed) this.send({ type: 'watch', origins: [...origins] });
  }

  requestPaths(request: PathRequest): void {
    this.send({ type: 'paths', sequence: request.sequence, paths: request.paths });
  }

  send(message: FeedUp): void {
    if (!this.#hub.closed) this.#options.send(message);
  }

  pendingBytes(): number {
    return this.#options.pendingBytes?.() ?? 0;
  }

  close(): void {
    this.ended(`The feed from ${this.#options.name} was closed by the player.`);
  }

  /** Handles one message, already decoded from JSON or structured clone. */
  receive(input: unknown): void {
    if (this.#hub.closed) return;
    const parsed = parseFeedDown(input);
    if (!parsed.ok) {
      this.refuse(parsed.error);
      return;
    }
    this.#accept(parsed.value);
  }

  /** Handles an undecodable message. */
  refuse(why: string): void {
    this.#refused += 1;
    this.#problem(`${this.#options.name} sent a message that breaks the schema (${why}); dropped`);
  }

  /** The channel is closed, for any reason. */
  ended(reason: string): void {
    if (this.#hub.closed) return;
    this.#hub.publish({ type: 'status', status: { state: 'no-feed', reason } });
    this.#hub.publish({ type: 'closed', reason });
    this.#onWelcome = [];
    this.#options.disconnect();
  }

  #accept(message: FeedDown): void {
    if (message.type === 'welcome') {
      this.#syncClock(message.monotonicMs);
      this.#welcomed = true;
      if (this.#watching.length > 0) this.send({ type: 'watch', origins: [...this.#watching] });
      for (const resolve of this.#onWelcome.splice(0)) resolve();
      return;
    }
    if (message.type === 'samples') this.#syncClock(message.batch.monotonicMs);
    if (message.type === 'closed') {
      this.ended(message.reason);
      return;
    }
    this.#hub.publish(message);
  }

  /**
   * A stamp is always older than its arrival, so the largest difference is the best estimate of the offset.
   * It only grows, so the clock never goes back, except after a lasting reset of the far end's clock. The
   * first stamp sets it directly.
   */
  #syncClock(monotonicMs: number): void {
    const localMs = this.#localNowMs();
    const offsetMs = monotonicMs - localMs;
    this.#offsetMs = this.#welcomed ? Math.max(this.#offsetMs, offsetMs) : offsetMs;
    // A window begins with its first message, because a frozen page receives nothing for long.
    if (this.#recent.offsetMs === -Infinity) this.#recent.sinceMs = localMs;
    this.#recent.offsetMs = Math.max(this.#recent.offsetMs, offsetMs);
    if (localMs - this.#recent.sinceMs < CLOCK_BACK_MS) return;
    if (this.#recent.offsetMs < this.#offsetMs - CLOCK_BACK_MS) {
      this.#offsetMs = this.#recent.offsetMs;
    }
    this.#recent = { offsetMs: -Infinity, sinceMs: localMs };
  }

  #problem(text: string): void {
    this.#reported += 1;
    if (this.#reported <= MAX_PROBLEMS_REPORTED) this.#options.onProblem?.(text);
  }
}
