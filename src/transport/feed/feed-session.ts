import { TokenBucket, type TransportStatus } from '../../core';
import { FEED_PROTOCOL_VERSION, limits, parseFeedUp, type FeedDown } from '../../ipc';
import type { Clock, LogSink, Transport, TransportMessage } from '../../ports';
import {
  TRANSPORT_EVENTS,
  type EndEvent,
  type LogEvent,
  type PathControlReport,
} from '../../session-log';
import type { SharedPathControl } from '../../path-control';
import { createDownQueue, type DownQueue } from './down-queue';
import { messageEvent } from './message-event';
import type { PageLogLimit } from './page-log-limit';
import { createPagePaths, type PagePaths } from './page-paths';
import { createSessionLog, errorEvent, type SessionLog } from './session-log';

/** The channel to one page. Its creator chooses the carrier (IPC, WebSocket). */
export interface FeedSessionChannel {
  send(message: FeedDown): void;
  /** The page is slow: send nothing until `drained` is called. */
  congested(): boolean;
  /** Ends the connection to the page. */
  disconnect(reason: string): void;
}

export interface FeedSessionOptions {
  transport: Transport;
  sink: LogSink;
  channel: FeedSessionChannel;
  clock: Clock;
  /** Called with every event that goes to the log, when it occurs. */
  onEvent?: (event: LogEvent) => void;
  /** Lets the page steer the paths of its stream. */
  pathControl?: SharedPathControl | undefined;
  /** Logs URLs with the values of their queries, which may be secrets. Default: false. */
  wholeUrls?: boolean | undefined;
  /** Invalid messages after which the page is disconnected; default 10. */
  maxStrikes?: number;
  /** Shared by all sessions that write to the same disk. */
  logLimit: PageLogLimit;
}

export interface FeedSession {
  /** Takes one decoded message of the page. Any content is survived. */
  receive(input: unknown): void;
  /** Call this for a message that could not be decoded. */
  refuse(why: string): void;
  /** Call this when the channel can take more. */
  drained(): void;
  /** Ends log and feed, and restores the paths. Idempotent; resolves when that is done. */
  close(reason: EndEvent['reason']): Promise<void>;
}

/** Limit on how often a page may change the watched hosts: each change can cost a look-up of 32 names. Chosen; no measurement. */
const WATCH_BURST = 20;
const WATCH_PER_SECOND = 2;
/** Invalid messages after which a page's feed ends; playback goes on. Chosen; no measurement. */
const DEFAULT_MAX_STRIKES = 10;

/**
 * One page's session. The transport's messages go to the page and into the log. The page's log events go into
 * the same log. Invalid messages are reported and do not end playback.
 */
export function createFeedSession(options: FeedSessionOptions): FeedSession {
  return new PageFeed(options);
}

class PageFeed implements FeedSession {
  readonly #options: FeedSessionOptions;
  readonly #log: SessionLog;
  readonly #down: DownQueue;
  readonly #paths: PagePaths | undefined;
  readonly #watchRate: TokenBucket;
  readonly #unsubscribe: () => void;
  /** Invalid messages so far. */
  #strikes = 0;
  #closed = false;
  #status: TransportStatus = { state: 'idle', reason: 'No stream is open yet.' };

  constructor(options: FeedSessionOptions) {
    const { transport, channel, clock, pathControl } = options;
    this.#options = options;
    const onEvent = options.onEvent ?? (() => undefined);
    this.#log = createSessionLog(options.sink, clock, onEvent, options.wholeUrls);
    this.#watchRate = new TokenBucket({
      burst: WATCH_BURST,
      perSecond: WATCH_PER_SECOND,
      nowMs: clock.nowMs(),
    });
    this.#down = createDownQueue(channel, () =>
      this.#end('FEED_STUCK', 'the page takes no messages any more; its feed was closed'),
    );
    const onReport = (report: PathControlReport): void => this.#reportPaths(report);
    this.#paths = pathControl && createPagePaths({ shared: pathControl, clock, onReport });
    this.#unsubscribe = transport.subscribe((message) => this.#observe(message));
    // Last: a player that begins on it knows the gateway before it asks for its manifest.
    if (this.#closed) return;
    const monotonicMs = transport.nowMs();
    channel.send({ type: 'welcome', protocolVersion: FEED_PROTOCOL_VERSION, monotonicMs });
  }

  receive(input: unknown): void {
    if (this.#closed) return;
    const parsed = parseFeedUp(input);
    if (!parsed.ok) {
      this.refuse(parsed.error);
      return;
    }
    const message = parsed.value;
    const { transport, clock } = this.#options;
    if (message.type === 'watch') {
      if (this.#watchRate.take(1, clock.nowMs())) transport.watch(message.origins);
      else this.refuse(`it changes its origins more than ${WATCH_PER_SECOND} times a second`);
    } else if (message.type === 'paths') {
      this.#paths?.request({ sequence: message.sequence, paths: message.paths });
    } else {
      for (const event of message.events) this.#record(event);
    }
  }

  refuse(why: string): void {
    if (this.#closed) return;
    const { clock, maxStrikes = DEFAULT_MAX_STRIKES } = this.#options;
    this.#strikes += 1;
    const message = `a message of the page was refused: ${why}`.slice(0, limits.textChars / 2);
    this.#log.record(errorEvent(clock, 'FEED_MESSAGE_INVALID', message));
    if (this.#strikes >= maxStrikes) {
      const reason = `${this.#strikes} invalid messages; the feed was closed, playback goes on`;
      this.#end('FEED_STRIKES', reason);
      return;
    }
    const { state, reason } = this.#status;
    const both = `${message}. ${reason}`.slice(0, limits.textChars);
    this.#down.push({ type: 'status', status: { state, reason: both } });
  }

  drained(): void {
    this.#down.drain();
  }

  async close(reason: EndEvent['reason']): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#options.transport.close();
    await Promise.all([this.#log.close(reason), this.#paths?.close()]);
  }

  #end(code: string, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    const { channel, clock } = this.#options;
    this.#log.record(errorEvent(clock, code, reason));
    channel.send({ type: 'closed', reason });
    channel.disconnect(reason);
  }

  /** Takes a message of the transport. */
  #observe(message: TransportMessage): void {
    if (this.#closed) return;
    if (message.type === 'closed') {
      this.#end('FEED_CLOSED', message.reason);
    } else if (message.type === 'path-control') {
      this.#reportPaths(message.report);
    } else {
      if (message.type === 'status') this.#status = message.status;
      if (message.type === 'samples') this.#paths?.observe(message.batch);
      this.#log.record(messageEvent(message, this.#options.transport.nowMs()));
      this.#down.push(forPage(message));
    }
  }

  #reportPaths(report: PathControlReport): void {
    if (this.#closed) return;
    const monotonicMs = this.#options.transport.nowMs();
    this.#log.record({ type: 'path-control', monotonicMs, report });
    this.#down.push({ type: 'path-control', report });
  }

  /** Takes an event of the page into the log. */
  #record(event: LogEvent): void {
    if (TRANSPORT_EVENTS.has(event.type)) return;
    const { logLimit, clock } = this.#options;
    const verdict = logLimit.judge(event, clock.nowMs());
    if (verdict.isWritten) this.#log.record(event);
    if (verdict.objection !== undefined) this.refuse(verdict.objection);
  }
}

/** The requests of byte ranges are for the log only. */
function forPage(
  message: Exclude<TransportMessage, { type: 'path-control' | 'closed' }>,
): FeedDown {
  if (message.type !== 'carriage') return message;
  const shown = { ...message };
  delete shown.chunks;
  return shown;
}
