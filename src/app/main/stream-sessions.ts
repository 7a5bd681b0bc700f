import type { FeedDown, MptcpLaunch } from '../../ipc';
import type { LogSink } from '../../ports';
import type { EndEvent, LogEvent } from '../../qoe';
import {
  createFeedSession,
  monotonicClock,
  openJsonlLog,
  type FeedSession,
  type SharedPathControl,
} from '../../transport';
import { createIpcChannel, type IpcChannel } from './ipc-channel';
import { newLogFile } from './log-files';
import { withLaunch } from './launch-status';
import { openNetwork } from './network';

export interface StreamSessionsOptions {
  logDir: string;
  launch: MptcpLaunch;
  /** The control of the paths for a stream that decides about them. */
  pathControl: () => Promise<SharedPathControl | undefined>;
  /** Sends to the window; does nothing once it is gone. */
  deliver: (message: FeedDown) => void;
  /** Every event that goes to a log. */
  onEvent: (event: LogEvent) => void;
  /** For the terminal: what limits the view of the network. */
  onProblem: (text: string) => void;
  /** Something the viewer should know. */
  onNotice: (text: string) => void;
}

export interface Begun {
  logFile?: string;
  logError?: string;
}

const noSink: LogSink = { write: () => {}, close: () => Promise.resolve() };

/** The streams of one window, one after the other; each has its own log and its own view of the network. */
export class StreamSessions {
  readonly #options: StreamSessionsOptions;
  #sink: LogSink | undefined;
  #session: FeedSession | undefined;
  #channel: IpcChannel | undefined;
  #pathControl: SharedPathControl | undefined;

  constructor(options: StreamSessionsOptions) {
    this.#options = options;
  }

  /**
   * Ends what played before and opens the next log.
   * @param steers the stream decides about the paths; they are left alone otherwise
   */
  async begin(steers: boolean): Promise<Begun> {
    await this.end('closed');
    this.#pathControl = steers ? await this.#options.pathControl() : undefined;
    const file = newLogFile(this.#options.logDir, new Date());
    try {
      this.#sink = openJsonlLog(file, {
        onError: (error) => this.#options.onNotice(error.message),
      });
      return { logFile: file };
    } catch (error) {
      this.#sink = noSink;
      return { logError: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The window listens: starts watching the network for it. Without a stream there is nothing to watch. */
  openFeed(): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    this.#sink = undefined;
    const channel = createIpcChannel(this.#options.deliver, () => {});
    this.#channel = channel;
    this.#session = createFeedSession({
      transport: withLaunch(openNetwork(this.#options.onProblem), this.#options.launch),
      sink,
      channel,
      pathControl: this.#pathControl,
      clock: monotonicClock,
      onEvent: this.#options.onEvent,
    });
  }

  receive(input: unknown): void {
    this.#session?.receive(input);
  }

  acknowledged(): void {
    if (this.#channel?.acknowledged() === true) this.#session?.drained();
  }

  /** Ends log and feed of the current stream, if any; resolves when the log is complete. */
  async end(reason: EndEvent['reason']): Promise<void> {
    const [session, sink] = [this.#session, this.#sink];
    this.#session = undefined;
    this.#channel = undefined;
    this.#sink = undefined;
    await session?.close(reason);
    await sink?.close();
  }
}
