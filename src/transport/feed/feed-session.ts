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
import { createDownQueue } from './down-queue';
import { messageEvent } from './message-event';
import type { PageLogLimit } from './page-log-limit';
import { createPagePaths } from './page-paths';
import { createSessionLog, errorEvent } from './session-log';

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

/**
 * One page's session. The transport's messages go to the page and into the log. The page's log events go into
 * the same log. Invalid messages are reported and do not end playback.
 */
export function createFeedSession(options: FeedSessionOptions): FeedSession {
  const { transport, channel, clock, logLimit, maxStrikes = 10 } = options;
  const log = createSessionLog(
    options.sink,
    clock,
    options.onEvent ?? (() => undefined),
    options.wholeUrls,
  );
  const watchRate = new TokenBucket({
    burst: WATCH_BURST,
    perSecond: WATCH_PER_SECOND,
    nowMs: clock.nowMs(),
  });
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
  const reportPaths = (report: PathControlReport): void => {
    if (over) return;
    log.record({ type: 'path-control', monotonicMs: transport.nowMs(), report });
    down.push({ type: 'path-control', report });
  };
  const paths =
    options.pathControl &&
    createPagePaths({ shared: options.pathControl, clock, onReport: reportPaths });
  const unsubscribe = transport.subscribe((message) => {
    if (over) return;
    if (message.type === 'closed') {
      end('FEED_CLOSED', message.reason);
    } else if (message.type === 'path-control') {
      reportPaths(message.report);
    } else {
      if (message.type === 'status') ({ status } = message);
      if (message.type === 'samples') paths?.observe(message.batch);
      log.record(messageEvent(message, transport.nowMs()));
      down.push(forPage(message));
    }
  });

  const recordOfPage = (event: LogEvent): void => {
    if (TRANSPORT_EVENTS.has(event.type)) return;
    const verdict = logLimit.judge(event, clock.nowMs());
    if (verdict.isWritten) log.record(event);
    if (verdict.objection !== undefined) refuse(verdict.objection);
  };

  return {
    receive(input) {
      if (over) return;
      const parsed = parseFeedUp(input);
      if (!parsed.ok) {
        refuse(parsed.error);
        return;
      }
      const message = parsed.value;
      if (message.type === 'watch') {
        if (watchRate.take(1, clock.nowMs())) transport.watch(message.origins);
        else refuse(`it changes its origins more than ${WATCH_PER_SECOND} times a second`);
      } else if (message.type === 'paths') {
        paths?.request({ sequence: message.sequence, paths: message.paths });
      } else {
        for (const event of message.events) recordOfPage(event);
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

/** The requests of byte ranges are for the log only. */
function forPage(
  message: Exclude<TransportMessage, { type: 'path-control' | 'closed' }>,
): FeedDown {
  if (message.type !== 'carriage') return message;
  const shown = { ...message };
  delete shown.chunks;
  return shown;
}
