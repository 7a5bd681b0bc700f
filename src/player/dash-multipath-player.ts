import type { MediaPlayerClass } from 'dashjs';
import { minBufferMs } from '../abr';
import type { BrainDecision } from '../brain';
import type { Forecast, MediaType, NetworkWish } from '../core';
import type { PlayerSnapshot } from '../ports';
import type { EndEvent, LogEvent } from '../session-log';
import { BaseUrls } from './dashjs/base-urls';
import { every } from './video/browser-clock';
import { ChunkSpans, liveEdgeMs } from './requests/chunk-spans';
import { DashEvent, bufferMsOf, checkAbandon } from './dashjs/dash-types';
import { DecisionSession } from './session/decision-session';
import { hearDashErrors } from './recovery/errors';
import { GatewayRoute } from './requests/gateway-route';
import { Ladders } from './dashjs/ladders';
import { ManifestCheck } from './recovery/manifest-check';
import { hearOwnSeeks } from './video/own-seeks';
import { STATE_PERIOD_MS } from './session/periods';
import { PlayIntent } from './video/play-intent';
import { isPathDecision } from './session/player-facts';
import type { DashPlayer, MultipathPlayerOptions } from './player-options';
import { PlayerView } from './session/player-view';
import { isVanilla, plugIn } from './dashjs/plug-in';
import { serverClock } from './dashjs/server-clock';
import { Recorder } from './session/recorder';
import { RequestHistory } from './requests/request-history';
import { RequestTracker } from './requests/request-tracker';
import type { RequestWatchdog } from './recovery/request-watchdog';
import { configEvent, loggedSettings } from './session/session-config';
import type { VideoWatch } from './video/video-watch';
import { watchSession } from './video/watch-session';

/** The parts that exist from the start of a stream. */
interface Playback {
  recorder: Recorder;
  watch: VideoWatch;
}

/** A dash.js player with its session: from dash.js's events to decisions, and from decisions to dash.js. */
export class DashMultipathPlayer implements DashPlayer {
  readonly dash: MediaPlayerClass;
  readonly #options: MultipathPlayerOptions;
  readonly #stream: DecisionSession;
  readonly #ladders = new Ladders();
  readonly #baseUrls = new BaseUrls();
  readonly #manifest = new ManifestCheck();
  readonly #tracker: RequestTracker;
  readonly #view: PlayerView;
  /** Absent where the owner of dash.js plays and pauses. */
  readonly #intent: PlayIntent | undefined;
  readonly #cleanup: (() => void)[] = [];
  /** Repeats stuck requests; absent until its code is loaded, and if dash.js plays without changes. */
  #watchdog: RequestWatchdog | undefined;
  #playback: Playback | undefined;
  #destroyed = false;

  constructor(
    dash: MediaPlayerClass,
    options: MultipathPlayerOptions,
    mode: 'owned' | 'attached' = 'owned',
  ) {
    this.dash = dash;
    this.#options = options;
    const stream = new DecisionSession(options, 'dash.js');
    this.#stream = stream;
    const { clock } = stream;
    const { emit } = stream.session;
    const bufferMs = (type: MediaType): number => bufferMsOf(dash, type);
    const playbackRate = (): number => options.video.playbackRate;
    const serverNowMs = serverClock(dash);
    const report = (code: string, message: string): void =>
      emit({ type: 'error', code, message, fatal: false });
    const chunkSpans = new ChunkSpans({
      clock,
      listener: stream.brain,
      edgeMs: () => liveEdgeMs(dash, options.video),
    });
    const history = new RequestHistory();
    this.#tracker = new RequestTracker({
      clock,
      wallNowMs: () => Date.now(),
      rungOf: (mediaType, representation) => this.#ladders.rungOf(mediaType, representation),
      emit: (event, request) => {
        history.ended(event, request.representation?.id);
        stream.brain.requestEnded(chunkSpans.ended(request, event));
        this.#watchdog?.ended(event);
        emit(event);
      },
    });
    this.#view = new PlayerView({
      player: dash,
      clock,
      ladders: this.#ladders,
      tracker: this.#tracker,
      history,
      bufferMs,
      playing: () => this.#playback?.watch.playing ?? false,
      playbackRate,
      control: () => stream.steering.control(),
    });
    this.#intent = mode === 'attached' ? undefined : new PlayIntent(options.video, report);
    const route = new GatewayRoute({
      choice: options.fetch ?? 'auto',
      clock,
      serverNowMs,
      bufferMs,
      playbackRate,
      exactBytes: (request) => history.exactBytes(request),
      onProblem: (message) => report('no-gateway', message),
    });
    const fragments = plugIn(
      {
        player: dash,
        clock,
        serverNowMs,
        ladders: this.#ladders,
        tracker: this.#tracker,
        chunkSpans,
        history,
        view: this.#view,
        brain: stream.brain,
        baseUrls: this.#baseUrls,
        manifest: this.#manifest,
        route,
        bufferMs,
        onUrl: (url) => stream.origins.add([url]),
        emit,
        onDecision: (decision) => {
          stream.choseRung(decision);
          emit({ type: 'decision', ...decision });
        },
      },
      options,
    );
    const tracker = this.#tracker;
    const forecast = (): Forecast => stream.brain.forecast();
    if (fragments) {
      // No request is stuck in the first seconds, so this code need not delay the first frame.
      void import('./recovery/request-watchdog').then(({ watchRequests }) => {
        this.#watchdog = watchRequests({
          ...{ tracker, clock, bufferMs, forecast, emit },
          gathers: (request) => route.gathers(request),
          abort: (request) => fragments.abort(request),
        });
      });
    }
    this.#cleanup.push(
      stream.transport.subscribe((message) => route.hear(message)),
      // A dash.js of the page plays on, and its gateway may end.
      () => route.stop(),
    );
  }

  load(url: string): void {
    if (this.#playback || this.#destroyed) {
      throw new Error('load() was called before: create a new player');
    }
    const manifestUrl = new URL(url, document.baseURI).href;
    this.begin(manifestUrl);
    this.dash.on(DashEvent.streamInitialized, () => this.#intent?.ready());
    this.dash.initialize(this.#options.video, manifestUrl, false);
  }

  /** Begins the session of a stream that dash.js is about to load; one session a player. */
  begin(manifestUrl: string): void {
    if (this.#destroyed || this.#playback) return;
    const { video } = this.#options;
    const { brain, clock, origins, policy, session } = this.#stream;
    this.#stream.begin(
      configEvent(
        `multipath-dash (dash.js ${this.dash.getVersion()})`,
        loggedSettings(manifestUrl, this.#options, policy.decides ? brain.config : undefined),
      ),
      {
        observe: (trigger, mediaType) => this.#view.observe(trigger, mediaType),
        onDecision: (decision) => this.#onBrainDecision(decision),
      },
    );
    const watch = watchSession(video, clock, session, {
      beforeEnd: () => this.#playback?.recorder.recordState(),
      isOwnSeek: hearOwnSeeks(this.dash),
    });
    const recorder = new Recorder({
      player: this.dash,
      video,
      session,
      ladders: this.#ladders,
      watch,
      manifestUrl,
      onBaseUrls: (urls) => origins.add(urls, manifestUrl),
    });
    this.#playback = { recorder, watch };
    const context = {
      manifestUrl,
      manifestDefect: () => this.#manifest.defect,
      otherBaseUrl: (location: string) => this.#baseUrls.hasOther(location),
      hasPlayed: () => watch.hasPlayed,
    };
    hearDashErrors(this.dash, context, (error) => session.emit({ type: 'error', ...error }));
    if (this.#interferes()) {
      // No decoder is stuck in the first seconds, so this code need not delay the first frame.
      void import('./video/picture-guard').then(({ guardPicture }) => {
        if (!this.#destroyed) this.#cleanup.push(guardPicture(video, clock, session.emit));
      });
    }
    origins.add([manifestUrl]);
    this.#cleanup.push(
      every(clock, STATE_PERIOD_MS, () => {
        recorder.recordState();
        // Without bytes no progress event makes dash.js call its abandon rule.
        this.#checkRequests();
        this.#watchdog?.look();
      }),
    );
  }

  play(): void {
    this.#intent?.play();
  }

  pause(): void {
    this.#intent?.pause();
  }

  snapshot(): PlayerSnapshot {
    const { recorder, watch } = this.#playback ?? {};
    const liveLatencyMs = recorder?.liveLatencyMs();
    return {
      positionMs: this.#options.video.currentTime * 1000,
      bufferMs: minBufferMs(recorder?.buffersMs() ?? {}) ?? 0,
      playing: watch?.playing ?? false,
      rung: recorder?.rung('video') ?? -1,
      bitrateBps: recorder?.bitrateBps('video') ?? 0,
      stalls: watch?.stalls() ?? { count: 0, totalMs: 0 },
      ...(liveLatencyMs === undefined ? {} : { liveLatencyMs }),
      ladders: this.#ladders.all(),
      ...this.#stream.snapshot(),
    };
  }

  setPolicy(name: string | undefined): void {
    this.#stream.setPolicy(name);
  }

  setNetworks(networks: readonly NetworkWish[]): void {
    this.#stream.setNetworks(networks);
  }

  subscribe(listener: (event: LogEvent) => void): () => void {
    return this.#stream.session.subscribe(listener);
  }

  destroy(reason?: EndEvent['reason']): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#playback?.recorder.recordState();
    this.#stream.detach();
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#playback?.watch.stop();
    this.#intent?.stop();
    this.#tracker.finish();
    this.#stream.end(reason, this.#options.video.ended);
    if (this.#intent) this.dash.destroy();
  }

  /** False if dash.js plays without changes. */
  #interferes(): boolean {
    const { abr = 'multipath', correction = true } = this.#options;
    return !isVanilla(abr, correction);
  }

  #onBrainDecision(decision: BrainDecision): void {
    // dash.js asks for decisions about segments itself, and its rule answers directly.
    if (!isPathDecision(decision)) return;
    if (decision.abandon || decision.trigger === 'path-event') this.#checkRequests();
  }

  #checkRequests(): void {
    if (!this.#interferes() || !this.#stream.session.open || !this.#stream.brain.trusted()) return;
    for (const flight of this.#tracker.inFlight()) {
      if (flight.kind === 'media') checkAbandon(this.dash, flight.request);
    }
  }
}
