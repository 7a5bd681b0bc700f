import { errorText, type NetworkWish } from '../../core';
import type { FeedDown, MptcpLaunch } from '../../ipc';
import type { LogSink } from '../../ports';
import type { EndEvent, LogEvent } from '../../session-log';
import {
  createFeedSession,
  keepLogs,
  openLog,
  PageLogLimit,
  sessionsIn,
  type FeedSession,
  type LogFormat,
  type OpenCarriage,
} from '../../transport';
import { monotonicClock } from '../../kernel';
import type { SharedPathControl } from '../../path-control';
import { createIpcChannel, type IpcChannel } from './ipc-channel';
import { newLogFile } from './log-files';
import { withLaunch } from './launch-status';
import { openNetwork } from './network';

export interface StreamSessionsOptions {
  logDir: string;
  logFormat: LogFormat;
  /** Most bytes of logs kept from ended sessions. */
  keptLogBytes: number;
  launch: MptcpLaunch;
  /** The path control, for streams that decide about paths. */
  pathControl: () => Promise<SharedPathControl | undefined>;
  /** The carriage of the stream's media; undefined: over Chromium's own sockets. */
  openCarriage: (
    kernelControl: SharedPathControl | undefined,
    origin: string | undefined,
  ) => Promise<OpenCarriage | undefined>;
  /** Sends to the window; no effect after its end. */
  deliver: (message: FeedDown) => void;
  /** Every logged event. */
  onEvent: (event: LogEvent) => void;
  /** Messages for the terminal: limits on the view of the network. */
  onProblem: (text: string) => void;
  /** Messages for the viewer. */
  onNotice: (text: string) => void;
}

export interface Begun {
  logFile?: string;
  logError?: string;
}

const noSink: LogSink = { write: () => {}, close: () => Promise.resolve() };

/** The streams of one window, in turn; each has its own log and its own view of the network. */
export class StreamSessions {
  readonly #options: StreamSessionsOptions;
  #sink: LogSink | undefined;
  #session: FeedSession | undefined;
  #channel: IpcChannel | undefined;
  #pathControl: SharedPathControl | undefined;
  #carriage: OpenCarriage | undefined;
  #local = false;
  /** Streams begin and end one after the other, whatever the window asks. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #logLimit = new PageLogLimit(monotonicClock.nowMs());

  constructor(options: StreamSessionsOptions) {
    this.#options = options;
  }

  /**
   * Ends the previous stream and opens the next log.
   * @param steers true if the stream decides about the paths; otherwise they stay unchanged
   * @param origin of the stream's server; undefined: the stream is a file of this computer
   * @param opened called when it is this stream's turn, before anything is opened for it
   */
  begin(steers: boolean, origin: string | undefined, opened: () => Promise<void>): Promise<Begun> {
    return this.#inTurn(async () => {
      await this.#end('closed');
      await opened();
      return this.#begin(steers, origin);
    });
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(step);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #begin(steers: boolean, origin: string | undefined): Promise<Begun> {
    this.#local = origin === undefined;
    const kernelControl = steers ? await this.#options.pathControl() : undefined;
    this.#carriage = await this.#options.openCarriage(kernelControl, origin);
    this.#pathControl = kernelControl && (this.#carriage?.pathControl ?? kernelControl);
    if (!this.#logLimit.mayBegin(monotonicClock.nowMs())) {
      this.#sink = noSink;
      return { logError: 'too many streams began; this one has no log' };
    }
    const file = newLogFile(this.#options.logDir, new Date(), this.#options.logFormat);
    try {
      this.#sink = openLog(file, this.#options.logFormat, {
        onError: (error) => this.#options.onNotice(error.message),
        onNote: this.#options.onNotice,
      });
      return { logFile: file };
    } catch (error) {
      this.#sink = noSink;
      return { logError: errorText(error) };
    }
  }

  /** The window listens: starts watching the network for it. Without a stream there is nothing to watch. */
  openFeed(): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    this.#sink = undefined;
    const channel = createIpcChannel(this.#options.deliver, () => {});
    this.#channel = channel;
    const kernel = withLaunch(
      openNetwork(this.#options.onProblem),
      this.#options.launch,
      this.#local,
    );
    this.#session = createFeedSession({
      transport: this.#carriage?.feed(kernel) ?? kernel,
      sink,
      channel,
      pathControl: this.#pathControl,
      logLimit: this.#logLimit,
      clock: monotonicClock,
      onEvent: this.#options.onEvent,
    });
  }

  /** The viewer's price of a network, from now on. */
  setNetwork(wish: NetworkWish): void {
    this.#carriage?.setNetwork(wish);
  }

  receive(input: unknown): void {
    this.#session?.receive(input);
  }

  acknowledged(): void {
    if (this.#channel?.acknowledged() === true) this.#session?.drained();
  }

  /** Ends log and feed of the current stream, if any; resolves when the log is complete. */
  end(reason: EndEvent['reason']): Promise<void> {
    return this.#inTurn(() => this.#end(reason));
  }

  async #end(reason: EndEvent['reason']): Promise<void> {
    const [session, sink, carriage] = [this.#session, this.#sink, this.#carriage];
    this.#session = undefined;
    this.#channel = undefined;
    this.#sink = undefined;
    this.#carriage = undefined;
    await session?.close(reason);
    await sink?.close();
    await carriage?.close();
    const { keptLogBytes, logDir, onProblem } = this.#options;
    const problem = keepLogs(sessionsIn(logDir), keptLogBytes, Date.now());
    if (problem !== undefined) onProblem(problem);
  }
}
