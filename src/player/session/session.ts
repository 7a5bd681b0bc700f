import { Listeners } from '../../core';
import { pageLimits } from '../../ipc';
import type { Clock, LogSink } from '../../ports';
import type { EndEvent, LogEvent } from '../../session-log';

type Unstamped<T> = T extends LogEvent ? Omit<T, 'monotonicMs'> & { monotonicMs?: number } : never;

/** An event whose default time is now. */
export type NewEvent = Unstamped<LogEvent>;

/**
 * One playback of one stream: stamps events, and passes them to the log and to every listener. The log begins
 * with the session's `config` and ends with its `end`; nothing is written outside those two.
 */
export class Session {
  readonly #clock: Clock;
  readonly #sink: LogSink | undefined;
  readonly #listeners = new Listeners<LogEvent>();
  #phase: 'new' | 'open' | 'ended' = 'new';
  #failed = false;

  constructor(clock: Clock, sink?: LogSink) {
    this.#clock = clock;
    this.#sink = sink;
  }

  get open(): boolean {
    return this.#phase === 'open';
  }

  /** A fatal error has happened. */
  get failed(): boolean {
    return this.#failed;
  }

  subscribe(listener: (event: LogEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  begin(config: NewEvent & { type: 'config' }): void {
    if (this.#phase !== 'new') return;
    this.#phase = 'open';
    this.emit(config);
  }

  /** Bound, so that it can be passed as a function. */
  readonly emit = (event: NewEvent): void => {
    // A viewer may play an ended stream again. Its log is complete; a failure is still shown.
    const isLate = this.#phase === 'ended' && event.type === 'error' && event.fatal;
    if (this.#phase !== 'open' && !isLate) return;
    // A listener may destroy the player, which ends the log too.
    if (event.type === 'end') this.#phase = 'ended';
    const stamped = clampTexts({ ...event, monotonicMs: event.monotonicMs ?? this.#clock.nowMs() });
    if (stamped.type === 'error' && stamped.fatal) this.#failed = true;
    if (!isLate) this.#sink?.write(stamped);
    // A throwing listener must not affect playback or the log.
    this.#listeners.call(stamped, (error) => {
      console.error('multipath-dash: an event listener threw', error);
    });
  };

  /** Ends the log. Listeners stay: a viewer may play the stream again. */
  end(reason: EndEvent['reason']): void {
    this.emit({ type: 'end', reason });
  }

  /** The player's own end: ends the log and calls no listener any more. */
  close(reason: EndEvent['reason']): void {
    this.end(reason);
    this.#listeners.clear();
  }
}

const cut = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars - 1)}…` : text;

/**
 * Limits free text to the length that the log schema accepts; one long data: URL must not void a whole batch.
 */
function clampTexts(event: LogEvent): LogEvent {
  switch (event.type) {
    case 'request':
      return {
        ...event,
        url: cut(event.url, pageLimits.urlChars),
        ...(event.error === undefined ? {} : { error: cut(event.error, pageLimits.textChars) }),
      };
    case 'manifest':
      return { ...event, url: cut(event.url, pageLimits.urlChars) };
    case 'error':
      return { ...event, message: cut(event.message, pageLimits.textChars) };
    case 'decision':
      return { ...event, reason: cut(event.reason, pageLimits.textChars) };
    default:
      return event;
  }
}
