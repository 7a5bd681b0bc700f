import shaka from 'shaka-player';
import type { Ladder, MediaType } from '../../core';
import {
  createBrowserClock,
  every,
  Origins,
  playerVersion,
  Session,
  VideoWatch,
} from '../../player';
import type { Clock } from '../../ports';
import { LOG_SCHEMA_VERSION } from '../../qoe';
import type { FeedConnection } from '../../sdk';
import type { ShakaPageConfig } from './config';
import { laddersOf } from './ladders';
import { Rendered } from './rendered';
import { requestEvent, type Exchange, type ShakaCodes } from './requests';

const STATE_PERIOD_MS = 250;
/** A position this little before a buffered range counts as inside it. */
const EDGE_SECONDS = 0.1;
const MEDIA_TYPES = ['video', 'audio'] as const;

const CODES: ShakaCodes = {
  manifest: shaka.net.NetworkingEngine.RequestType.MANIFEST,
  segment: shaka.net.NetworkingEngine.RequestType.SEGMENT,
  initSegment: shaka.net.NetworkingEngine.AdvancedRequestType.INIT_SEGMENT,
  operationAborted: shaka.util.Error.Code.OPERATION_ABORTED,
};

/** A number; the declaration says enum. */
const CRITICAL: number = shaka.util.Error.Severity.CRITICAL;

interface ShakaError {
  code: number;
  severity: number;
  message?: string;
}

/** Plays one stream with Shaka Player as it comes, and logs what our own player logs. */
export class ShakaSession {
  readonly #config: ShakaPageConfig;
  readonly #video: HTMLVideoElement;
  readonly #player = new shaka.Player();
  readonly #clock: Clock;
  readonly #session: Session;
  readonly #origins: Origins;
  readonly #rendered: Record<MediaType, Rendered> = {
    video: new Rendered(),
    audio: new Rendered(),
  };
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

  /** Ends the log; the page goes away. */
  end(): void {
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#watch?.stop();
    this.#session.end(this.#session.failed ? 'failed' : this.#video.ended ? 'ended' : 'closed');
    void this.#player.destroy();
  }

  #begin(): void {
    const loadMs = this.#clock.nowMs();
    this.#session.begin({
      type: 'config',
      schemaVersion: LOG_SCHEMA_VERSION,
      startedAt: new Date().toISOString(),
      player: `Shaka Player ${shaka.Player.version}`,
      playerVersion,
      settings: { url: this.#config.mpd, abr: 'shaka', userAgent: navigator.userAgent },
    });
    this.#watch = new VideoWatch(this.#video, this.#clock, {
      onFirstFrame: (atMs) =>
        this.#session.emit({ type: 'startup', startupDelayMs: Math.max(0, atMs - loadMs) }),
      onStallStart: (monotonicMs) =>
        this.#session.emit({ type: 'stall', phase: 'start', monotonicMs }),
      onStallEnd: (monotonicMs, durationMs) =>
        this.#session.emit({ type: 'stall', phase: 'end', durationMs, monotonicMs }),
      onEnded: () => {
        this.#recordState();
        this.#session.end('ended');
      },
    });
    this.#cleanup.push(every(this.#clock, STATE_PERIOD_MS, () => this.#recordState()));
    const onMoved = (): void => this.#recordSwitches();
    this.#video.addEventListener('timeupdate', onMoved);
    this.#cleanup.push(() => this.#video.removeEventListener('timeupdate', onMoved));
  }

  /** Only listens: nothing here can change what Shaka does. */
  #listen(): void {
    const on = (name: string, listener: (event: unknown) => void): void => {
      this.#player.addEventListener(name, listener);
    };
    on('downloadcompleted', (event) => this.#onExchange(event as Exchange));
    on('downloadfailed', (event) => this.#onExchange(event as Exchange));
    on('manifestparsed', () => this.#onLoaded());
    on('error', (event) => this.#fail((event as { detail: unknown }).detail));
  }

  #onLoaded(): void {
    const ladders = laddersOf(this.#player.getVariantTracks());
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

  #onExchange(exchange: Exchange): void {
    const event = requestEvent(exchange, {
      codes: CODES,
      requestId: (this.#requests += 1),
      nowMs: this.#clock.nowMs(),
      wallNowMs: Date.now(),
      rungOf: (mediaType, id) => this.#rungOf(mediaType, id),
    });
    if (!event) return;
    this.#session.emit(event);
    this.#origins.add([event.url], this.#config.mpd);
    const { kind, mediaType, mediaStartMs, mediaDurationMs, outcome, rung = -1 } = event;
    if (kind !== 'media' || outcome !== 'ok' || !mediaType || mediaStartMs === undefined) return;
    const endMs = mediaStartMs + (mediaDurationMs ?? 0);
    this.#rendered[mediaType].fetched({ startMs: mediaStartMs, endMs, rung });
  }

  #rungOf(mediaType: MediaType, representationId: string): number {
    const rungs = this.#ladderOf(mediaType)?.rungs ?? [];
    return rungs.findIndex((rung) => rung.representationId === representationId);
  }

  #ladderOf(mediaType: MediaType): Ladder | undefined {
    return this.#ladders.find((ladder) => ladder.mediaType === mediaType);
  }

  #bitrateOf(mediaType: MediaType, rung: number): number {
    return this.#ladderOf(mediaType)?.rungs[rung]?.bitrateBps ?? 0;
  }

  #recordSwitches(): void {
    for (const mediaType of MEDIA_TYPES) {
      const change = this.#rendered[mediaType].moved(this.#video.currentTime * 1000);
      if (!change) continue;
      this.#session.emit({
        type: 'switch',
        mediaType,
        fromRung: change.from,
        toRung: change.to,
        fromBitrateBps: this.#bitrateOf(mediaType, change.from),
        toBitrateBps: this.#bitrateOf(mediaType, change.to),
      });
    }
  }

  #bufferMs(mediaType: MediaType): number {
    const now = this.#video.currentTime;
    const ranges = this.#player.getBufferedInfo()[mediaType];
    const range = ranges.find(({ start, end }) => start - EDGE_SECONDS <= now && now <= end);
    return range ? Math.max(0, (range.end - now) * 1000) : 0;
  }

  #recordState(): void {
    if (!this.#session.open || this.#ladders.length === 0) return;
    this.#recordSwitches();
    const { audio, video } = this.#rendered;
    const frames = this.#watch?.frames();
    const types = this.#ladders.map((ladder) => ladder.mediaType);
    this.#session.emit({
      type: 'player',
      positionMs: this.#video.currentTime * 1000,
      bufferMs: Math.min(...types.map((type) => this.#bufferMs(type))),
      ...(types.includes('video') ? { videoBufferMs: this.#bufferMs('video') } : {}),
      ...(types.includes('audio')
        ? {
            audioBufferMs: this.#bufferMs('audio'),
            audioBitrateBps: this.#bitrateOf('audio', audio.rung),
          }
        : {}),
      playing: this.#watch?.playing ?? false,
      rung: video.rung,
      bitrateBps: this.#bitrateOf('video', video.rung),
      decodedFrames: frames?.decoded ?? 0,
      droppedFrames: frames?.dropped ?? 0,
    });
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
