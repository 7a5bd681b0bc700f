import { MediaPlayer, type MediaPlayerClass, type MediaPlayerSettingClass } from 'dashjs';
import type { MediaType, TransportStatus } from '../core';
import type { Clock, LogSink, Player, PlayerSnapshot, Transport, TransportMessage } from '../ports';
import { LOG_SCHEMA_VERSION, type EndEvent, type LogEvent } from '../qoe';
import { replaceAbandonRule } from './abandon-rule';
import { Brain } from './brain';
import { createBrowserClock, every } from './browser-clock';
import { dashSettings, vanillaSettings, type AbrChoice } from './dash-settings';
import { DashEvent, checkAbandon, isMediaType } from './dash-types';
import { hearDashDecisions, type Decision } from './dash-decisions';
import { hearDashErrors } from './errors';
import { createNoFeedTransport } from './feed/no-feed-transport';
import { Ladders, type RungOf } from './ladders';
import { hookNetwork } from './network-hooks';
import { Origins } from './origins';
import { PlayIntent } from './play-intent';
import { addQualityRule } from './quality-rule';
import { Recorder } from './recorder';
import { mendRepeatedSegments } from './repeat-segment';
import { RequestTracker } from './request-tracker';
import { SegmentRescue } from './segment-rescue';
import { Session } from './session';
import { overrideThroughput } from './throughput-override';
import { playerVersion } from './version';
import { VideoWatch } from './video-watch';

export interface MultipathPlayerOptions {
  video: HTMLVideoElement;
  /** Where path data comes from; default none, and the player says so. It stays the caller's to close. */
  transport?: Transport;
  /** Where events are logged; it stays the caller's to close, after `destroy`. */
  logSink?: LogSink;
  /** Which rules choose the rung; default `multipath`. */
  abr?: AbrChoice;
  /**
   * Feeds the path forecast to dash.js's own rules as well; default true. Without it a rule of dash.js's plays
   * as dash.js comes, only watched: nothing of ours chooses, gives up, mends or repeats anything.
   */
  correction?: boolean;
  /** dash.js settings, applied last. */
  settings?: MediaPlayerSettingClass;
  /** Added to the log's first line: whatever the reader should know about this run. */
  logSettings?: Record<string, unknown>;
}

export interface MultipathPlayer extends Player {
  /** @param reason for the log's last line; by default told from what happened */
  destroy(reason?: EndEvent['reason']): void;
  /** The dash.js player inside, for what this interface does not offer. */
  readonly dash: MediaPlayerClass;
}

const STATE_PERIOD_MS = 250;

/**
 * A dash.js player that knows the paths under the stream. Play one stream, then make a new one.
 * It never throws after `load`: what goes wrong is an `error` event.
 */
export function createMultipathPlayer(options: MultipathPlayerOptions): MultipathPlayer {
  return new DashMultipathPlayer(options);
}

class DashMultipathPlayer implements MultipathPlayer {
  readonly dash: MediaPlayerClass = MediaPlayer().create();
  readonly #options: MultipathPlayerOptions;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #session: Session;
  readonly #ladders = new Ladders();
  readonly #rescue = new SegmentRescue();
  readonly #tracker: RequestTracker;
  readonly #brain: Brain;
  readonly #origins: Origins;
  readonly #started = new Set<MediaType>();
  readonly #intent: PlayIntent;
  readonly #cleanup: (() => void)[] = [];
  #status: TransportStatus = { state: 'no-feed', reason: '' };
  #recorder: Recorder | undefined;
  #watch: VideoWatch | undefined;
  #lastDecision: PlayerSnapshot['lastDecision'];
  #destroyed = false;
  /** False where dash.js plays as it comes. */
  #interferes = false;

  constructor(options: MultipathPlayerOptions) {
    this.#options = options;
    this.#transport = options.transport ?? createNoFeedTransport();
    this.#clock = createBrowserClock(this.#transport);
    this.#session = new Session(this.#clock, options.logSink);
    this.#origins = new Origins((origins) => this.#transport.watch(origins));
    this.#brain = new Brain({ clock: this.#clock, onPathEvent: () => this.#checkRequests() });
    this.#tracker = new RequestTracker({
      clock: this.#clock,
      wallNowMs: () => Date.now(),
      rungOf: (mediaType, id) => this.#ladders.rungOf(mediaType, id),
      emit: (event) => {
        this.#brain.requestEnded(event);
        this.#session.emit(event);
      },
    });
    this.#intent = new PlayIntent(options.video, (code, message) =>
      this.#session.emit({ type: 'error', code, message, fatal: false }),
    );
    this.#install(options.abr ?? 'multipath', options.correction ?? true);
    this.#cleanup.push(this.#transport.subscribe((message) => this.#onTransport(message)));
  }

  load(url: string): void {
    if (this.#session.open || this.#destroyed) {
      throw new Error('load() was called before: create a new player for the next stream');
    }
    const manifestUrl = new URL(url, document.baseURI).href;
    const { abr = 'multipath', correction = true, logSettings = {}, video } = this.#options;
    const loadMs = this.#clock.nowMs();
    this.#session.begin({
      type: 'config',
      schemaVersion: LOG_SCHEMA_VERSION,
      startedAt: new Date().toISOString(),
      player: `multipath-dash (dash.js ${this.dash.getVersion()})`,
      playerVersion,
      settings: {
        ...logSettings,
        url: manifestUrl,
        abr,
        correction,
        userAgent: navigator.userAgent,
      },
    });
    this.#session.emit({ type: 'status', status: this.#status });
    this.#watch = new VideoWatch(video, this.#clock, {
      onFirstFrame: (atMs) =>
        this.#session.emit({ type: 'startup', startupDelayMs: Math.max(0, atMs - loadMs) }),
      onStallStart: (monotonicMs) =>
        this.#session.emit({ type: 'stall', phase: 'start', monotonicMs }),
      onStallEnd: (monotonicMs, durationMs) =>
        this.#session.emit({ type: 'stall', phase: 'end', durationMs, monotonicMs }),
      onEnded: () => {
        this.#recorder?.recordState();
        this.#session.end('ended');
      },
    });
    this.#recorder = new Recorder({
      player: this.dash,
      video,
      session: this.#session,
      ladders: this.#ladders,
      watch: this.#watch,
      manifestUrl,
      onBaseUrls: (urls) => this.#origins.add(urls, manifestUrl),
    });
    hearDashErrors(this.dash, manifestUrl, (error) =>
      this.#session.emit({ type: 'error', ...error }),
    );
    this.#origins.add([manifestUrl]);
    this.#cleanup.push(
      every(this.#clock, STATE_PERIOD_MS, () => {
        this.#recorder?.recordState();
        // Without bytes there are no progress events to make dash.js ask its abandon rule.
        this.#checkRequests();
      }),
    );
    this.dash.on(DashEvent.streamInitialized, () => this.#intent.ready());
    this.dash.initialize(video, manifestUrl, false);
  }

  play(): void {
    this.#intent.play();
  }

  pause(): void {
    this.#intent.pause();
  }

  snapshot(): PlayerSnapshot {
    return {
      positionMs: this.#options.video.currentTime * 1000,
      bufferMs: this.#recorder?.leastBufferMs() ?? 0,
      playing: this.#watch?.playing ?? false,
      rung: this.#recorder?.rung('video') ?? -1,
      bitrateBps: this.#recorder?.bitrateBps('video') ?? 0,
      stalls: this.#watch?.stalls() ?? { count: 0, totalMs: 0 },
      ...(this.#lastDecision ? { lastDecision: this.#lastDecision } : {}),
      forecast: this.#brain.forecast(),
      status: this.#status,
      ladders: this.#ladders.all(),
    };
  }

  subscribe(listener: (event: LogEvent) => void): () => void {
    return this.#session.subscribe(listener);
  }

  destroy(reason?: EndEvent['reason']): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#recorder?.recordState();
    const told = this.#session.failed ? 'failed' : this.#options.video.ended ? 'ended' : 'closed';
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#watch?.stop();
    this.#intent.stop();
    this.#tracker.finish();
    this.#session.end(reason ?? told);
    this.dash.destroy();
  }

  #install(abr: AbrChoice, correction: boolean): void {
    const bufferMs = (type: MediaType): number => this.#recorder?.bufferMs(type) ?? 0;
    const reservedBps = (type: MediaType): number => this.#reservedBps(type);
    const rungOf: RungOf = (type, id) => this.#ladders.rungOf(type, id);
    const onDecision = (decision: Decision): void => this.#decided(decision);
    const isVanilla = abr !== 'multipath' && !correction;
    hookNetwork({
      player: this.dash,
      clock: this.#clock,
      ladders: this.#ladders,
      tracker: this.#tracker,
      ...(isVanilla ? {} : { rescue: this.#rescue }),
      onStart: (requestId, startMs, request) => {
        this.#brain.requestStarted({ requestId, startMs });
        if (isMediaType(request.mediaType)) this.#started.add(request.mediaType);
      },
      onUrl: (url) => this.#origins.add([url]),
      emit: (event) => this.#session.emit(event),
    });
    hearDashDecisions(this.dash, {
      ladders: this.#ladders,
      bufferMs,
      forecast: () => this.#brain.forecast(),
      onDecision,
    });
    if (isVanilla) {
      this.dash.updateSettings(vanillaSettings(abr));
      if (this.#options.settings) this.dash.updateSettings(this.#options.settings);
      return;
    }
    this.#interferes = true;
    mendRepeatedSegments(this.dash);
    if (correction) overrideThroughput(this.dash, this.#brain);
    addQualityRule(this.dash, {
      brain: this.#brain,
      useForecast: abr === 'multipath',
      unusable: () => this.#rescue.unusableRungs,
      bufferMs,
      reservedBps,
      started: (mediaType) => this.#started.has(mediaType),
      rungOf,
      onDecision,
    });
    replaceAbandonRule(this.dash, {
      brain: this.#brain,
      useForecast: abr === 'multipath' || correction,
      nowMs: () => this.#clock.nowMs(),
      bufferMs,
      reservedBps,
      inFlight: (request) => this.#tracker.inFlight().find((one) => one.request === request),
      failedRungs: (mediaType, startMs) => this.#rescue.failedRungs(mediaType, startMs),
      rungOf,
      onDecision,
    });
    this.dash.updateSettings(dashSettings(abr));
    if (this.#options.settings) this.dash.updateSettings(this.#options.settings);
  }

  /** Video leaves room for the audio that plays; audio leaves room for the lowest video rung. */
  #reservedBps(mediaType: MediaType): number {
    if (mediaType === 'audio') return this.#ladders.bitrateOf('video', 0);
    const rendered = this.#recorder?.rung('audio') ?? -1;
    return this.#ladders.bitrateOf('audio', Math.max(0, rendered));
  }

  #checkRequests(): void {
    if (!this.#interferes || !this.#session.open || !this.#brain.trusted()) return;
    for (const flight of this.#tracker.inFlight()) {
      if (flight.kind === 'media') checkAbandon(this.dash, flight.request);
    }
  }

  #decided(decision: Decision): void {
    if (decision.mediaType === 'video') {
      this.#lastDecision = { reason: decision.reason, toRung: decision.toRung };
    }
    this.#session.emit({ type: 'decision', ...decision });
  }

  #onTransport(message: TransportMessage): void {
    this.#brain.onTransport(message);
    switch (message.type) {
      case 'status':
        this.#status = message.status;
        this.#session.emit({ type: 'status', status: message.status });
        break;
      case 'samples':
        this.#session.emit({
          type: 'samples',
          monotonicMs: message.batch.monotonicMs,
          batch: message.batch,
        });
        break;
      case 'path':
        this.#session.emit({
          type: 'path',
          monotonicMs: message.event.monotonicMs,
          event: message.event,
        });
        break;
      case 'closed':
        this.#feedEnded(message.reason);
    }
  }

  #feedEnded(reason: string): void {
    if (this.#status.state !== 'no-feed') {
      this.#status = { state: 'no-feed', reason };
      this.#session.emit({ type: 'status', status: this.#status });
    }
    this.#session.emit({
      type: 'error',
      code: 'feed-closed',
      message: `${reason} The rung is now chosen by dash.js's own measurements.`,
      fatal: false,
    });
  }
}
