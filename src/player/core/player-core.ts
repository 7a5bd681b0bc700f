import type { BrainObservation } from '../../brain';
import { minBufferMs, type PerMedia, type RequestInFlight } from '../../abr';
import type { Forecast, MediaType, NetworkWish } from '../../core';
import type { PlayerSnapshot } from '../../ports';
import type { EndEvent, LogEvent } from '../../session-log';
import { every } from '../video/browser-clock';
import { DecisionSession } from '../session/decision-session';
import type { ViewerError } from '../recovery/errors';
import { STATE_PERIOD_MS } from '../session/periods';
import { playerEvent } from '../session/player-event';
import { configEvent } from '../session/session-config';
import type { VideoWatch } from '../video/video-watch';
import { watchSession } from '../video/watch-session';
import type {
  PlayerCore,
  MultipathCoreOptions,
  PlayerState,
  RequestBegun,
  RequestResult,
  RungChoice,
} from './core-types';
import { Screen } from './screen';

/**
 * Makes the decisions of the player available to any other one: report requests to it, ask it for rungs.
 * Without path data it has no opinion, and the player's own rules decide.
 * @throws PolicyConfigError on an unknown policy or setting
 */
export function createPlayerCore(options: MultipathCoreOptions): PlayerCore {
  return new Core(options);
}

class Core implements PlayerCore {
  readonly #options: MultipathCoreOptions;
  readonly #stream: DecisionSession;
  readonly #screen = new Screen((mediaType) =>
    this.#state().ladders.find((one) => one.mediaType === mediaType),
  );
  readonly #inFlight = new Map<number, RequestInFlight>();
  readonly #lastRung: PerMedia<number> = {};
  readonly #cleanup: (() => void)[] = [];
  #watch: VideoWatch | undefined;
  #manifestUrl: string | undefined;
  #requests = 0;
  #destroyed = false;

  constructor(options: MultipathCoreOptions) {
    this.#options = options;
    this.#stream = new DecisionSession(options, 'the player');
  }

  nowMs(): number {
    return this.#stream.clock.nowMs();
  }

  begin(manifestUrl: string): void {
    if (this.#manifestUrl !== undefined || this.#destroyed) return;
    this.#manifestUrl = manifestUrl;
    const { logSettings = {}, player, video } = this.#options;
    const { brain, clock, origins, session } = this.#stream;
    this.#stream.begin(
      configEvent(`multipath-dash (${player})`, {
        ...logSettings,
        url: manifestUrl,
        abr: 'multipath',
        brain: brain.config,
      }),
      {
        observe: (trigger, mediaType) => this.#observe(trigger, mediaType),
        onDecision: () => undefined,
      },
    );
    this.#watch = watchSession(video, clock, session, { beforeEnd: () => this.#recordState() });
    origins.add([manifestUrl]);
    this.#cleanup.push(every(clock, STATE_PERIOD_MS, () => this.#recordState()));
  }

  manifest(kind: 'static' | 'dynamic', durationMs: number | undefined): void {
    this.#stream.session.emit({
      type: 'manifest',
      url: this.#manifestUrl ?? '',
      kind,
      ...(durationMs !== undefined && durationMs > 0 ? { durationMs } : {}),
      ladders: [...this.#state().ladders],
    });
  }

  requestStarted(request: RequestBegun): number {
    this.#requests += 1;
    const requestId = this.#requests;
    const { mediaType, rung, durationMs, bytesTotal, startMs = this.nowMs() } = request;
    const timed = durationMs !== undefined && durationMs > 0;
    this.#inFlight.set(requestId, {
      requestId,
      ...(mediaType ? { mediaType } : {}),
      rung,
      startMs,
      bytesLoaded: 0,
      ...(bytesTotal === undefined ? {} : { bytesTotal }),
      ...(timed ? { durationMs } : {}),
    });
    const segmentType = timed ? mediaType : undefined;
    if (segmentType) this.#lastRung[segmentType] = rung;
    this.#stream.origins.add([request.url], this.#manifestUrl);
    this.#stream.brain.requestStarted({ requestId, startMs, mediaType: segmentType });
    return requestId;
  }

  requestProgress(requestId: number, bytesLoaded: number): void {
    const flight = this.#inFlight.get(requestId);
    if (flight) flight.bytesLoaded = bytesLoaded;
  }

  requestEnded(requestId: number, result: RequestResult): void {
    this.#inFlight.delete(requestId);
    // A redirect may lead to another origin.
    this.#stream.origins.add([result.url], this.#manifestUrl);
    this.#stream.brain.requestEnded({ ...result, requestId });
    this.#screen.arrived(result);
    this.#stream.session.emit({ ...result, type: 'request', requestId });
  }

  error(error: ViewerError): void {
    this.#stream.session.emit({ type: 'error', ...error });
  }

  forecast(): Forecast {
    return this.#stream.brain.forecast();
  }

  trusted(): Forecast | undefined {
    return this.#stream.brain.trusted();
  }

  decide(mediaType: MediaType): RungChoice | undefined {
    const choice = this.#stream.brain.select(mediaType);
    if (!choice) return undefined;
    const fromRung = this.#lastRung[mediaType] ?? -1;
    this.#stream.choseRung({ mediaType, reason: choice.reason, toRung: choice.rung });
    if (choice.rung !== fromRung) {
      this.#stream.session.emit({
        type: 'decision',
        kind: 'select',
        rule: 'MultipathRule',
        mediaType,
        fromRung,
        toRung: choice.rung,
        bufferMs: this.#state().bufferMs[mediaType] ?? 0,
        forecast: choice.forecast,
        reason: choice.reason,
      });
    }
    return choice;
  }

  snapshot(): PlayerSnapshot {
    const { video } = this.#options;
    const state = this.#state();
    return {
      positionMs: video.currentTime * 1000,
      bufferMs: minBufferMs(state.bufferMs) ?? 0,
      playing: this.#watch?.playing ?? false,
      rung: this.#screen.rung('video'),
      bitrateBps: this.#screen.bitrateBps('video'),
      stalls: this.#watch?.stalls() ?? { count: 0, totalMs: 0 },
      ...(state.live ? { liveLatencyMs: state.live.latencyMs } : {}),
      ladders: [...state.ladders],
      ...this.#stream.snapshot(),
    };
  }

  subscribe(listener: (event: LogEvent) => void): () => void {
    return this.#stream.session.subscribe(listener);
  }

  setPolicy(name: string | undefined): void {
    this.#stream.setPolicy(name);
  }

  setNetworks(networks: readonly NetworkWish[]): void {
    this.#stream.setNetworks(networks);
  }

  destroy(reason?: EndEvent['reason']): void {
    if (this.#destroyed) return;
    this.#recordState();
    this.#destroyed = true;
    this.#stream.detach();
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#watch?.stop();
    this.#stream.end(reason, this.#options.video.ended);
  }

  #state(): PlayerState {
    return this.#options.observe();
  }

  #observe(trigger: BrainObservation['trigger'], mediaType?: MediaType): BrainObservation {
    const state = this.#state();
    const { playbackRate } = this.#options.video;
    return {
      monotonicMs: this.nowMs(),
      trigger,
      ...(mediaType ? { mediaType } : {}),
      ladders: state.ladders,
      currentRung: { ...this.#lastRung },
      bufferMs: state.bufferMs,
      bufferTargetMs: state.bufferTargetMs,
      playing: this.#watch?.playing ?? false,
      requests: [...this.#inFlight.values()].map((flight) => ({ ...flight })),
      ...(state.nextSegments ? { nextSegments: state.nextSegments } : {}),
      segmentDurationMs: state.segmentDurationMs,
      ...(state.live ? { live: state.live } : {}),
      ...(playbackRate === 1 ? {} : { playbackRate }),
      control: this.#stream.steering.control(),
    };
  }

  #recordState(): void {
    const state = this.#state();
    if (!this.#stream.session.open || state.ladders.length === 0) return;
    const { video } = this.#options;
    for (const change of this.#screen.moved(video.currentTime * 1000))
      this.#stream.session.emit(change);
    this.#stream.session.emit(
      playerEvent(
        video.currentTime,
        state.bufferMs,
        this.#screen,
        this.#watch,
        state.live?.latencyMs,
      ),
    );
  }
}
