import { errorText } from '../../core';
import { limits, parseLogEvent } from '../../ipc';
import type { Clock, LogSink } from '../../ports';
import { TRANSPORT_EVENTS, type LogEvent } from '../../session-log';
import type { FeedChannel } from './feed-channel';

export interface FeedLogSinkOptions {
  channel: FeedChannel;
  clock: Clock;
  /** Events kept while the channel is congested; the oldest are dropped first. Default 20000. */
  capacity?: number;
  /** Called once after dropped events, and for the first refused events. */
  onError?: (message: string) => void;
  /** Source of `pagehide`; default the global object if it is a page. */
  page?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined;
}

/** Bytes queued in the channel from which on nothing is added. */
const CONGESTED_BYTES = 8 * 1024 * 1024;
/** Longest time that `close` waits for the channel to drain. */
const DRAIN_LIMIT_MS = 2000;
/** Interval of the checks in `close`. Chosen; no measurement. */
const DRAIN_POLL_MS = 10;
/** Events kept for a slow channel: half an hour of playback at ten events a second. Chosen; no measurement. */
const DEFAULT_CAPACITY = 20_000;
/** Interval of batches; a closed page loses at most this much. Chosen; no measurement. */
const FLUSH_MS = 250;
/** Refused events reported to `onError`; the log names each. */
const MAX_REPORTED_REFUSALS = 20;
const REFUSED_CODE = 'LOG_EVENT_REFUSED';

/**
 * A LogSink that sends events up the feed's channel in small batches. The far end owns the file and already
 * has the events it sent down (samples, path events, status, path control, carriage), so they are not sent back. It
 * refuses a whole message: refused events are omitted here, and the log notes that in their place.
 */
export class FeedLogSink implements LogSink {
  readonly #options: FeedLogSinkOptions;
  readonly #capacity: number;
  #queue: LogEvent[] = [];
  #cancel: (() => void) | undefined;
  #dropped = 0;
  #refused = 0;
  #closed = false;
  readonly #onPageHide = (): void => this.flush();

  constructor(options: FeedLogSinkOptions) {
    this.#options = options;
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY;
    options.page?.addEventListener('pagehide', this.#onPageHide);
  }

  /** Events dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Events omitted so far because the far end refused them. */
  get refused(): number {
    return this.#refused;
  }

  write(event: LogEvent): void {
    if (this.#closed) return;
    if (TRANSPORT_EVENTS.has(event.type)) return;
    this.#queue.push(event);
    if (this.#queue.length > this.#capacity) {
      this.#queue.shift();
      this.#dropped += 1;
      if (this.#dropped === 1) {
        this.#options.onError?.('the log channel is congested; old events are dropped');
      }
    }
    if (this.#queue.length >= limits.logEvents) {
      this.flush();
    } else {
      this.#cancel ??= this.#options.clock.after(FLUSH_MS, () => this.flush());
    }
  }

  /** Passes all pending events to the channel. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    while (this.#queue.length > 0 && this.#options.channel.pendingBytes() < CONGESTED_BYTES) {
      this.#send(this.#queue.splice(0, limits.logEvents).map((event) => this.#checked(event)));
    }
    if (this.#queue.length > 0) {
      this.#cancel = this.#options.clock.after(FLUSH_MS, () => this.flush());
    }
  }

  close(): Promise<void> {
    this.flush();
    this.#closed = true;
    this.#options.page?.removeEventListener('pagehide', this.#onPageHide);
    const { channel, clock } = this.#options;
    const deadlineMs = clock.nowMs() + DRAIN_LIMIT_MS;
    return new Promise((resolve) => {
      const poll = (): void => {
        this.flush();
        const isEmpty = this.#queue.length === 0 && channel.pendingBytes() === 0;
        if (isEmpty || clock.nowMs() >= deadlineMs) resolve();
        else clock.after(DRAIN_POLL_MS, poll);
      };
      poll();
    });
  }

  /** Halving the batch finds the event that no message can carry. */
  #send(events: LogEvent[]): void {
    try {
      this.#options.channel.send({ type: 'log', events });
    } catch (error) {
      const [only] = events;
      if (only === undefined) return;
      if (events.length > 1) {
        const half = Math.ceil(events.length / 2);
        this.#send(events.slice(0, half));
        this.#send(events.slice(half));
      } else if (only.type !== 'error' || only.code !== REFUSED_CODE) {
        this.#send([this.#instead(only, errorText(error))]);
      }
    }
  }

  #checked(event: LogEvent): LogEvent {
    const parsed = parseLogEvent(event);
    return parsed.ok ? event : this.#instead(event, parsed.error);
  }

  #instead({ type, monotonicMs }: LogEvent, why: string): LogEvent {
    this.#refused += 1;
    const message = `a log event of type "${type}" was left out: ${why}`.slice(0, limits.textChars);
    if (this.#refused <= MAX_REPORTED_REFUSALS) this.#options.onError?.(message);
    const isTime = Number.isFinite(monotonicMs) && monotonicMs >= 0;
    const atMs = isTime ? monotonicMs : this.#options.clock.nowMs();
    return { type: 'error', monotonicMs: atMs, code: REFUSED_CODE, message, fatal: false };
  }
}
