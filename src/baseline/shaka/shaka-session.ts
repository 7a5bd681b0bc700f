import shaka from 'shaka-player';
import type { Ladder, MediaType } from '../../core';
import {
  configEvent,
  createBrowserClock,
  every,
  Origins,
  playerEvent,
  Screen,
  Session,
  shakaLadders,
  shakaRequestEvent,
  STATE_PERIOD_MS,
  watchSession,
  type ShakaCodes,
  type ShakaExchange,
  type VideoWatch,
  aheadMs,
} from '../../player';
import type { Clock } from '../../ports';
import type { FeedConnection } from '../../sdk';
import type { ShakaPageConfig } from './config';

const CODES: ShakaCodes = {
  manifest: shaka.net.NetworkingEngine.RequestType.MANIFEST,
  segment: shaka.net.NetworkingEngine.RequestType.SEGMENT,
  initSegment: shaka.net.NetworkingEngine.AdvancedRequestType.INIT_SEGMENT,
  operationAborted: shaka.util.Error.Code.OPERATION_ABORTED,
};

/** A number, although Shaka's declaration has an enum. */
const CRITICAL: number = shaka.util.Error.Severity.CRITICAL;

interface ShakaError {
  code: number;
  severity: number;
  message?: string;
}

/** Plays one stream with unmodified Shaka Player, and logs the same events as our own player. */
export class ShakaSession {
  readonly #config: ShakaPageConfig;
  readonly #video: HTMLVideoElement;
  readonly #player = new shaka.Player();
  readonly #clock: Clock;
  readonly #session: Session;
  readonly #origins: Origins;
  readonly #screen = new Screen((mediaType) =>
    this.#ladders.find((ladder) => ladder.mediaType === mediaType),
  );
  readonly #cleanup: (() => void)[] = [];
  #watch: VideoWatch | undefined;
  #ladders: Ladder[] = [];
  #requests = 0;

  constructor(config: ShakaPageConfig, video: HTMLVideoElement, connection: FeedConnection) {
    this.#config = config;
    this.#video = video;
    this.#clock = createBrowserClock(connection.transport);
    this.#session = new Session(this.#clock, connection.logSink);
    this.#origins = new Origins((origins) => connection.transport.watch(origins));
  }

  async play(): Promise<void> {
    const { mpd, bufferingGoalSeconds } = this.#config;
    this.#listen();
    await this.#player.attach(this.#video);
    if (bufferingGoalSeconds !== undefined) {
      this.#player.configure('streaming.bufferingGoal', bufferingGoalSeconds);
    }
    this.#begin();
    this.#origins.add([mpd]);
    try {
      await this.#player.load(mpd);
      this.#onLoaded();
      await this.#video.play();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends the log; the page is closing. */
  end(): void {
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#watch?.stop();
    this.#session.end(this.#session.failed ? 'failed' : this.#video.ended ? 'ended' : 'closed');
    void this.#player.destroy();
  }

  #begin(): void {
    const { mpd } = this.#config;
    this.#session.begin(
      configEvent(`Shaka Player ${shaka.Player.version}`, { url: mpd, abr: 'shaka' }),
    );
    this.#watch = watchSession(this.#video, this.#clock, this.#session, {
      beforeEnd: () => this.#recordState(),
    });
    this.#cleanup.push(every(this.#clock, STATE_PERIOD_MS, () => this.#recordState()));
    const onMoved = (): void => this.#recordSwitches();
    this.#video.addEventListener('timeupdate', onMoved);
    this.#cleanup.push(() => this.#video.removeEventListener('timeupdate', onMoved));
  }

  /** Read-only: no code here can change Shaka's behaviour. */
  #listen(): void {
    const on = (name: string, listener: (event: unknown) => void): void => {
      this.#player.addEventListener(name, listener);
    };
    on('downloadcompleted', (event) => this.#onExchange(event as ShakaExchange));
    on('downloadfailed', (event) => this.#onExchange(event as ShakaExchange));
    on('manifestparsed', () => this.#onLoaded());
    on('error', (event) => this.#fail((event as { detail: unknown }).detail));
  }

  #onLoaded(): void {
    const ladders = shakaLadders(this.#player.getVariantTracks());
    if (ladders.length === 0 || this.#ladders.length > 0) return;
    this.#ladders = ladders;
    const isLive = this.#player.isLive();
    const { end } = this.#player.seekRange();
    this.#session.emit({
      type: 'manifest',
      url: this.#config.mpd,
      kind: isLive ? 'dynamic' : 'static',
      ...(isLive || !(end > 0) ? {} : { durationMs: end * 1000 }),
      ladders,
    });
  }

  #onExchange(exchange: ShakaExchange): void {
    const event = shakaRequestEvent(exchange, {
      codes: CODES,
      requestId: (this.#requests += 1),
      nowMs: this.#clock.nowMs(),
      wallNowMs: Date.now(),
      rungOf: (mediaType, id) => this.#rungOf(mediaType, id),
    });
    if (!event) return;
    this.#session.emit(event);
    this.#origins.add([event.url], this.#config.mpd);
    this.#screen.arrived(event);
  }

  #rungOf(mediaType: MediaType, representationId: string): number {
    const rungs = this.#ladders.find((ladder) => ladder.mediaType === mediaType)?.rungs ?? [];
    return rungs.findIndex((rung) => rung.representationId === representationId);
  }

  #recordSwitches(): void {
    for (const change of this.#screen.moved(this.#video.currentTime * 1000)) {
      this.#session.emit(change);
    }
  }

  #bufferMs(mediaType: MediaType): number {
    return aheadMs(this.#player.getBufferedInfo()[mediaType], this.#video.currentTime);
  }

  #recordState(): void {
    if (!this.#session.open || this.#ladders.length === 0) return;
    this.#recordSwitches();
    const bufferMs = Object.fromEntries(
      this.#ladders.map(({ mediaType }) => [mediaType, this.#bufferMs(mediaType)]),
    );
    const latencyMs = this.#player.isLive()
      ? Math.max(0, this.#player.getStats().liveLatency * 1000)
      : undefined;
    this.#session.emit(
      playerEvent(this.#video.currentTime, bufferMs, this.#screen, this.#watch, latencyMs),
    );
  }

  #fail(error: unknown): void {
    const { code, severity, message } = (error ?? {}) as Partial<ShakaError>;
    this.#session.emit({
      type: 'error',
      code: code === undefined ? 'shaka' : `shaka-${code}`,
      message: message ?? String(error),
      fatal: severity === undefined || severity === CRITICAL,
    });
  }
}
