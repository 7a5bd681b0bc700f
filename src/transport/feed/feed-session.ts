import type { TransportStatus } from '../../core';
import { FEED_PROTOCOL_VERSION, limits, parseFeedUp, type FeedDown } from '../../ipc';
import type { Clock, LogSink, Transport } from '../../ports';
import type { EndEvent, LogEvent, PathControlReport } from '../../qoe';
import type { SharedPathControl } from '../path-control';
import { createDownQueue } from './down-queue';
import { createPagePaths } from './page-paths';
import { createSessionLog, errorEvent } from './session-log';

/** The way to one page; what carries it (IPC, WebSocket) is its maker's affair. */
export interface FeedSessionChannel {
  send(message: FeedDown): void;
  /** The page is slow: hold back until `drained` is called. */
  congested(): boolean;
  /** Ends the connection to the page. */
  disconnect(reason: string): void;
}

export interface FeedSessionOptions {
  transport: Transport;
  sink: LogSink;
  channel: FeedSessionChannel;
  clock: Clock;
  /** Every event that goes to the log, as it happens. */
  onEvent?: (event: LogEvent) => void;
  /** Lets the page decide about the paths of its stream. */
  pathControl?: SharedPathControl | undefined;
  /** Invalid messages after which the page is disconnected; default 10. */
  maxStrikes?: number;
}

export interface FeedSession {
  /** One decoded message of the page; anything at all is survived. */
  receive(input: unknown): void;
  /** A message that could not even be decoded. */
  refuse(why: string): void;
  /** The channel can take more. */
  drained(): void;
  /** Ends log and feed, and puts the paths back. Idempotent; resolves when that is done. */
  close(reason: EndEvent['reason']): Promise<void>;
}

/** What the transport says itself is not taken from a page that sends it back. */
const ownTypes: ReadonlySet<LogEvent['type']> = new Set([
  'samples',
  'path',
  'status',
  'path-control',
]);

/**
 * One page's session: the transport's messages go down to the page and into the log, the page's log
 * events go into the same log, and invalid messages are told but do not end playback.
 */
export function createFeedSession(options: FeedSessionOptions): FeedSession {
  const { transport, channel, clock, maxStrikes = 10 } = options;
  const log = createSessionLog(options.sink, clock, options.onEvent ?? (() => undefined));
  let strikes = 0;
  let over = false;
  let status: TransportStatus = { state: 'idle', reason: 'No stream is open yet.' };

  const down = createDownQueue(channel, () =>
    end('FEED_STUCK', 'the page takes no messages any more; its feed was closed'),
  );

  const end = (code: string, reason: string): void => {
    if (over) return;
    over = true;
    log.record(errorEvent(clock, code, reason));
    channel.send({ type: 'closed', reason });
    channel.disconnect(reason);
  };

  const refuse = (why: string): void => {
    if (over) return;
    strikes += 1;
    const message = `a message of the page was refused: ${why}`.slice(0, limits.textChars / 2);
    log.record(errorEvent(clock, 'FEED_MESSAGE_INVALID', message));
    if (strikes >= maxStrikes) {
      end('FEED_STRIKES', `${strikes} invalid messages; the feed was closed, playback goes on`);
      return;
    }
    const reason = `${message}. ${status.reason}`.slice(0, limits.textChars);
    down.push({ type: 'status', status: { state: status.state, reason } });
  };

  channel.send({
    type: 'welcome',
    protocolVersion: FEED_PROTOCOL_VERSION,
    monotonicMs: transport.nowMs(),
  });
  const tellPaths = (report: PathControlReport): void => {
    if (over) return;
    log.record({ type: 'path-control', monotonicMs: transport.nowMs(), report });
    down.push({ type: 'path-control', report });
  };
  const paths =
    options.pathControl && createPagePaths({ shared: options.pathControl, clock, tell: tellPaths });
  const unsubscribe = transport.subscribe((message) => {
    if (over) return;
    if (message.type === 'closed') {
      end('FEED_CLOSED', message.reason);
      return;
    }
    if (message.type === 'status') {
      status = message.status;
      log.record({ type: 'status', monotonicMs: transport.nowMs(), status });
    } else if (message.type === 'path-control') {
      tellPaths(message.report);
      return;
    } else if (message.type === 'samples') {
      paths?.observe(message.batch);
      log.record({ type: 'samples', monotonicMs: message.batch.monotonicMs, batch: message.batch });
    } else {
      log.record({ type: 'path', monotonicMs: message.event.monotonicMs, event: message.event });
    }
    down.push(message);
  });

  return {
    receive(input) {
      if (over) return;
      const parsed = parseFeedUp(input);
      if (!parsed.ok) {
        refuse(parsed.error);
        return;
      }
      const message = parsed.value;
      if (message.type === 'watch') transport.watch(message.origins);
      else if (message.type === 'paths') {
        paths?.request({ sequence: message.sequence, paths: message.paths });
      } else {
        for (const event of message.events) if (!ownTypes.has(event.type)) log.record(event);
      }
    },
    refuse,
    drained() {
      down.drain();
    },
    async close(reason) {
      over = true;
      unsubscribe();
      transport.close();
      await Promise.all([log.close(reason), paths?.close()]);
    },
  };
}
