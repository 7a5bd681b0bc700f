import { MediaPlayer, type MediaPlayerClass } from 'dashjs';
import type { BrainDecision } from '../brain';
import type { TransportStatus } from '../core';
import type { Clock, NetworkWish, PlayerSnapshot, Transport, TransportMessage } from '../ports';
import { LOG_SCHEMA_VERSION, type EndEvent, type LogEvent } from '../qoe';
import { Brain } from './brain';
import { createBrowserClock, every } from './browser-clock';
import { DashEvent, checkAbandon } from './dash-types';
import type { Decision } from './dash-decisions';
import { hearDashErrors } from './errors';
import { createNoFeedTransport } from './feed/no-feed-transport';
import { Ladders } from './ladders';
import { createNetworkMemory, noMemory, type NetworkMemory } from './network-memory';
import { Origins } from './origins';
import { PathSteering } from './path-steering';
import { PlayIntent } from './play-intent';
import type { MultipathPlayer, MultipathPlayerOptions } from './player-options';
import { PlayerView } from './player-view';
import { isVanilla, plugIn } from './plug-in';
import { PolicyChoice } from './policy-choice';
import { Recorder } from './recorder';
import { RequestTracker } from './request-tracker';
import { Session } from './session';
import { playerVersion } from './version';
import { VideoWatch } from './video-watch';

const STATE_PERIOD_MS = 250;
const MEMORY_PERIOD_MS = 5000;

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
  readonly #tracker: RequestTracker;
  readonly #brain: Brain;
  readonly #origins: Origins;
  readonly #view: PlayerView;
  readonly #steering: PathSteering;
  readonly #policy: PolicyChoice;
  readonly #intent: PlayIntent;
  readonly #memory: NetworkMemory;
  readonly #cleanup: (() => void)[] = [];
  #status: TransportStatus = { state: 'no-feed', reason: '' };
  #recorder: Recorder | undefined;
  #watch: VideoWatch | undefined;
  #lastDecision: PlayerSnapshot['lastDecision'];
  #pathReason = '';
  #destroyed = false;
  /** False where dash.js plays as it comes. */
  readonly #interferes: boolean;

  constructor(options: MultipathPlayerOptions) {
    this.#options = options;
    this.#transport = options.transport ?? createNoFeedTransport();
    this.#clock = createBrowserClock(this.#transport);
    this.#session = new Session(this.#clock, options.logSink);
    this.#origins = new Origins((origins) => this.#transport.watch(origins));
    const { abr = 'multipath', correction = true } = options;
    this.#policy = new PolicyChoice(options);
    this.#steering = new PathSteering({
      transport: this.#transport,
      clock: this.#clock,
      allowed: this.#policy.steers,
      policy: () => this.#brain.config.policy,
      emit: (event) => this.#session.emit(event),
    });
    this.#tracker = new RequestTracker({
      clock: this.#clock,
      wallNowMs: () => Date.now(),
      rungOf: (mediaType, id) => this.#ladders.rungOf(mediaType, id),
      emit: (event, representationId) => {
        this.#view.ended(event, representationId);
        this.#brain.requestEnded(event);
        this.#session.emit(event);
      },
    });
    this.#view = new PlayerView({
      player: this.dash,
      clock: this.#clock,
      ladders: this.#ladders,
      tracker: this.#tracker,
      bufferMs: (type) => this.#recorder?.bufferMs(type) ?? 0,
      playing: () => this.#watch?.playing ?? false,
      control: () => this.#steering.control(),
    });
    const { memory = createNetworkMemory() } = options;
    this.#memory = memory === false || !this.#policy.decides ? noMemory : memory;
    const remembered = this.#memory.recall();
    this.#brain = new Brain({
      clock: this.#clock,
      config: { ...this.#policy.brainConfig(), ...(remembered.length > 0 ? { remembered } : {}) },
      decides: this.#policy.decides,
      observe: (trigger, mediaType) => this.#view.observe(trigger, mediaType),
      emit: (event) => this.#session.emit(event),
      onDecision: (decision) => this.#onBrainDecision(decision),
    });
    this.#intent = new PlayIntent(options.video, (code, message) =>
      this.#session.emit({ type: 'error', code, message, fatal: false }),
    );
    this.#interferes = !isVanilla(abr, correction);
    plugIn(
      {
        player: this.dash,
        clock: this.#clock,
        ladders: this.#ladders,
        tracker: this.#tracker,
        view: this.#view,
        brain: this.#brain,
        bufferMs: (type) => this.#recorder?.bufferMs(type) ?? 0,
        onUrl: (url) => this.#origins.add([url]),
        emit: (event) => this.#session.emit(event),
        onDecision: (decision) => this.#decided(decision),
      },
      options,
    );
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
        ...(this.#policy.decides ? { brain: this.#brain.config } : {}),
        ...(this.#options.bufferTargetMs === undefined
          ? {}
          : { bufferTargetMs: this.#options.bufferTargetMs }),
        userAgent: navigator.userAgent,
      },
    });
    this.#brain.begin();
    this.#session.emit({ type: 'status', status: this.#status });
    const { report } = this.#steering;
    if (report) this.#session.emit({ type: 'path-control', report });
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
      every(this.#clock, MEMORY_PERIOD_MS, () => this.#memory.remember(this.#brain.memorable())),
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
      ...(this.#policy.steers
        ? { paths: this.#policy.view(this.#brain.config, this.#pathReason, this.#steering.report) }
        : {}),
    };
  }

  setPolicy(name: string | undefined): void {
    this.#brain.configure(this.#policy.pin(name));
  }

  setNetworks(networks: readonly NetworkWish[]): void {
    this.#brain.configure(this.#policy.wish(networks));
  }

  subscribe(listener: (event: LogEvent) => void): () => void {
    return this.#session.subscribe(listener);
  }

  destroy(reason?: EndEvent['reason']): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#recorder?.recordState();
    this.#memory.remember(this.#brain.memorable());
    const told = this.#session.failed ? 'failed' : this.#options.video.ended ? 'ended' : 'closed';
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#watch?.stop();
    this.#intent.stop();
    this.#tracker.finish();
    this.#session.end(reason ?? told);
    this.dash.destroy();
  }

  #onBrainDecision(decision: BrainDecision): void {
    if (decision.trigger === 'tick' || decision.trigger === 'path-event') {
      this.#pathReason = decision.pathReason;
      if (this.#policy.steers) this.#steering.decided(decision);
    }
    // A rule that is asked now is asked by dash.js and answers itself.
    const waits = decision.trigger === 'tick' || decision.trigger === 'path-event';
    if (waits && (decision.abandon || decision.trigger === 'path-event')) this.#checkRequests();
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
    if (message.type === 'samples') this.#steering.onSamples(message.batch);
    if (message.type === 'closed') this.#steering.onFeedEnd();
    this.#brain.onTransport(message);
    switch (message.type) {
      case 'path-control':
        this.#steering.onReport(message.report);
        this.#session.emit({ type: 'path-control', report: message.report });
        break;
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
